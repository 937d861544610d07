/** How a verb that talks to a running sandbox may end besides 0. */
import type { ExitName } from '../../errors.ts';

/** A verb that only reads: no sandbox there, another program, no sandbox key, or a full disk. */
export const readingExits: readonly ExitName[] = ['unexpected', 'storage', 'later', 'auth', 'config'];

/** A verb that changes something: its answer may be lost too. */
export const changingExits: readonly ExitName[] = [...readingExits, 'unknown'];

/** The same about a record, which the sandbox may not know or may refuse to change. */
export const recordExits: readonly ExitName[] = [...changingExits, 'refused', 'notFound'];

/** In the words of a sandbox. */
export const exitWords: Readonly<Partial<Record<ExitName, string>>> = {
  unexpected: 'another program answers at that address, or the sandbox itself failed',
  storage: 'the disk is full, here or where the sandbox keeps its state; nothing was changed',
  later: 'no sandbox answers at that address: start it again',
  auth: 'there is no key for this sandbox, or it does not accept the key',
  config:
    'no sandbox was started with these settings, or the address is not one of a sandbox on this machine',
  refused: 'the sandbox refuses this; nothing was changed',
  unknown: 'OUTCOME UNKNOWN: the answer was lost; it may have been carried out',
  endedBadly: 'an endpoint did not accept the event',
  notFound: 'the sandbox has no such record',
};
