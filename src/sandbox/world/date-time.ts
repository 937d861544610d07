/** Writes the times of the records of the API (assumption `date-time-form`). All other times are `isoTime`. */
import { isoTime } from '../../clock.ts';
import type { World } from './world.ts';

/** @param ms milliseconds since the epoch */
export function dateTime({ assume }: Pick<World, 'assume'>, ms: number): string {
  switch (assume('date-time-form')) {
    case 'seconds':
      return isoTime(ms).replace(/\.\d+/, '');
    case 'offset':
      return isoTime(ms - brasiliaMs).replace('Z', '-03:00');
    default:
      return isoTime(ms);
  }
}

/** Brasília is three hours behind UTC all year. */
const brasiliaMs = 3 * 3_600_000;
