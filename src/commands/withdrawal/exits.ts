/** How the commands that look at withdrawals, or send them, can end besides 0. */
import type { ExitName } from '../../errors.ts';

const eitherWay: readonly ExitName[] = [
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
export const lookingExits: readonly ExitName[] = ['usage', ...eitherWay, 'notFound'];

/** For a run that sends, once its flags are good. */
export const sendingExits: readonly ExitName[] = [
  'unexpected',
  ...eitherWay,
  'blocked',
  'keyReused',
  'duplicate',
  'policy',
];
