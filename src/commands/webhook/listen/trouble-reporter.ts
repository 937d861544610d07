/** Reports what goes wrong while `webhook listen` runs, at intervals, and ends it when nothing can be stored. */
import type { Clock } from '../../../clock.ts';
import { PixctlError } from '../../../errors.ts';
import { limitRepeats } from '../../../terminal/limit-repeats.ts';

const unusable: ReadonlySet<string> = new Set(['DATABASE_GONE', 'NOT_FLUSHED']);

interface TroubleOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly warn: (text: string) => void;
  /** This process can store nothing any more: the file is gone, or a flush failed, after which none is trusted. */
  readonly onUnusable: (cause: PixctlError) => void;
}

export function createTroubleReporter({ clock, warn, onUnusable }: TroubleOptions): (cause: unknown) => void {
  const tell = limitRepeats(warn, clock);
  return (cause) => {
    if (cause instanceof PixctlError && unusable.has(cause.code)) return onUnusable(cause);
    tell(inSentences(cause));
  };
}

function inSentences(cause: unknown): string {
  if (!(cause instanceof PixctlError)) return String(cause);
  const { message, hint } = cause;
  return hint === undefined ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`;
}
