/** What the commands that look at withdrawals, or send them, can end with besides 0. */
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

/** A look at one key. */
export const lookingExits: readonly ExitName[] = ['usage', ...eitherWay, 'notFound'];

/** A run that sends, once its flags are good. */
export const sendingExits: readonly ExitName[] = [
  'unexpected',
  ...eitherWay,
  'blocked',
  'keyReused',
  'duplicate',
  'policy',
];
