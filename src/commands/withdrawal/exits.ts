/** How the commands that look at withdrawals, or send them, can end besides 0. */
import type { ExitName } from '../../errors.ts';

const commonExits: readonly ExitName[] = [
  'storage',
  'later',
  'auth',
  'config',
  'refused',
  'unknown',
  'pending',
  'endedBadly',
];

/** For a look at one key. */
export const lookingExits: readonly ExitName[] = ['usage', ...commonExits, 'notFound'];

/** For a run that sends, once its flags are good. */
export const sendingExits: readonly ExitName[] = [
  'unexpected',
  ...commonExits,
  'blocked',
  'keyReused',
  'duplicate',
  'policy',
];

/** In the words of withdrawals. */
export const exitWords: Readonly<Partial<Record<ExitName, string>>> = {
  data: 'the batch file is bad; nothing was sent',
  unknown: 'OUTCOME UNKNOWN: money may have moved',
  endedBadly: 'ended badly: FAILED, so the service gives the money back',
};
