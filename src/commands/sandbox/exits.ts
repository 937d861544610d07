/** How a verb that speaks to a running sandbox may end besides 0. */
import type { ExitName } from '../../errors.ts';

/** No sandbox, no key of one, none that answers, or one whose disk is full. */
export const unreached: readonly ExitName[] = ['storage', 'later', 'auth', 'config'];

/** The same, and it may not know what is asked for, or refuse to do it. */
export const refusedToo: readonly ExitName[] = [...unreached, 'refused', 'notFound'];
