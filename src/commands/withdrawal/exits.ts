/** What a run that sends withdrawals can end with besides 0, once its flags are good. */
import type { ExitName } from '../../errors.ts';

export const sendingExits: readonly ExitName[] = [
  'storage',
  'later',
  'auth',
  'config',
  'refused',
  'unknown',
  'pending',
  'endedBadly',
  'blocked',
  'keyReused',
  'duplicate',
  'policy',
];
