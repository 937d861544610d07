/** How a verb that talks to a running sandbox may end besides 0. */
import type { ExitName } from '../../errors.ts';

/** No sandbox, no sandbox key, no answer, or a full disk. */
export const unreachedExits: readonly ExitName[] = ['storage', 'later', 'auth', 'config'];

/** The same, and the sandbox may not know the record or may refuse the request. */
export const requestExits: readonly ExitName[] = [...unreachedExits, 'refused', 'notFound'];
