/** `--tolerance` of the verbs that verify. */
import { parseDuration } from '../../flags/duration.ts';

export const toleranceFlag = [
  '--tolerance <duration>',
  'how far the time t of the signature may be from now, past or future; none for any',
  '5m',
] as const;

/** Returns milliseconds; null for any age. Throws a usage error (64). */
export const readTolerance = (text: string): number | null =>
  text === 'none' ? null : parseDuration(text, '--tolerance');
