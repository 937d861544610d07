/** What goes wrong while `webhook listen` runs: told once in a while, and the end where nothing can be kept. */
import type { Clock } from '../../../clock.ts';
import { PixctlError } from '../../../errors.ts';

/** The same trouble is not told again within this time: it may come with every delivery. */
const quietMs = 60_000;

const unusable: ReadonlySet<string> = new Set(['DATABASE_GONE', 'NOT_FLUSHED']);

export interface TroubleOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly warn: (text: string) => void;
  /** This process can keep nothing any more: the file is gone, or a flush failed and none is believed since. */
  readonly onUnusable: (cause: PixctlError) => void;
}

export function createTrouble({ clock, warn, onUnusable }: TroubleOptions): (cause: unknown) => void {
  const told = new Map<string, number>();
  return (cause) => {
    if (cause instanceof PixctlError && unusable.has(cause.code)) return onUnusable(cause);
    const text = inSentences(cause);
    const now = clock.monotonic();
    if (now - (told.get(text) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    // Texts may carry what the network sent, so the memory is bounded.
    if (told.size > 100) told.clear();
    told.set(text, now);
    warn(text);
  };
}

function inSentences(cause: unknown): string {
  if (!(cause instanceof PixctlError)) return String(cause);
  const { message, hint } = cause;
  return hint === undefined ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`;
}
