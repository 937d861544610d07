/** What goes wrong while `webhook listen` runs: told once in a while, and the end where nothing can be kept. */
import type { Clock } from '../../clock.ts';
import { PixctlError } from '../../errors.ts';

/** The same trouble is not told again within this time: it may come with every delivery. */
const quietMs = 60_000;

export interface TroubleOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly warn: (text: string) => void;
  /** The inbox is gone: whatever comes from now on is lost when this process ends. */
  readonly onGone: (cause: PixctlError) => void;
}

export function createTrouble({ clock, warn, onGone }: TroubleOptions): (cause: unknown) => void {
  const told = new Map<string, number>();
  return (cause) => {
    if (cause instanceof PixctlError && cause.code === 'DATABASE_GONE') return onGone(cause);
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
