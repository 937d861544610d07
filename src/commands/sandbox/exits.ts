/** How a verb that speaks to a running sandbox may end besides 0. */
import type { ExitName } from '../../errors.ts';

/** No sandbox, no key of one, none that answers, or one whose disk is full. */
export const unreached: readonly ExitName[] = ['storage', 'later', 'auth', 'config'];

/** And it may not know, or not do, what is asked. */
export const refusedToo: readonly ExitName[] = [...unreached, 'refused', 'notFound'];
