import { PixctlError } from '../../errors.ts';

export const notHere = (): PixctlError =>
  new PixctlError('notFound', 'NOT_IN_INBOX', 'This event is not in the inbox.', { httpStatus: 404 });
