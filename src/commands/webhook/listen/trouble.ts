/** What goes wrong while `webhook listen` runs: told once in a while, and the end where nothing can be kept. */
import type { Clock } from '../../../clock.ts';
import { PixctlError } from '../../../errors.ts';
import { seldom } from '../../../terminal/seldom.ts';

const unusable: ReadonlySet<string> = new Set(['DATABASE_GONE', 'NOT_FLUSHED']);

export interface TroubleOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly warn: (text: string) => void;
  /** This process can keep nothing any more: the file is gone, or a flush failed and none is believed since. */
  readonly onUnusable: (cause: PixctlError) => void;
}

export function createTrouble({ clock, warn, onUnusable }: TroubleOptions): (cause: unknown) => void {
  const tell = seldom(warn, clock);
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
