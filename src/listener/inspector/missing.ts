/** What the page is answered about an event that the inbox does not hold. */
import { PixctlError } from '../../errors.ts';

export const notHere = (): PixctlError =>
  new PixctlError('notFound', 'NOT_IN_INBOX', 'This event is not in the inbox.', { httpStatus: 404 });
