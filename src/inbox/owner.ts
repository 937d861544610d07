/**
 * Who may forward what: a claim belongs to one running process. A process that is gone, or that has not
 * been seen for a while, has no claims any more, so that a killed listener's events go on elsewhere.
 */
import type { Clock } from '../clock.ts';
import type { Queries } from '../database/port.ts';

/** How this process is known to others that share the inbox. */
export interface Owner {
  /** Unique to this run: host, process, start. */
  readonly id: string;
  /** True when the other owner is a process of this machine that has ended; false when that is not known. */
  readonly isGone: (id: string) => boolean;
}

const beatEveryMs = 5_000;
const goneAfterMs = 20_000;

export interface Heart {
  /** Says "still here", seldom; runs in the transaction of whatever is written anyway. */
  beat(tx: Queries): Promise<void>;
  /** Owners that are alive, this one included. */
  alive(tx: Queries): Promise<string[]>;
  /** Forgets this owner, and those long gone. */
  stop(tx: Queries): Promise<void>;
}

export function createHeart(owner: Owner, clock: Clock): Heart {
  let beatAt = Number.NEGATIVE_INFINITY;
  return {
    async beat(tx) {
      if (clock.monotonic() - beatAt < beatEveryMs) return;
      beatAt = clock.monotonic();
      await tx.query(
        'INSERT INTO inbox_owner (owner, seen_at) VALUES ($1, $2) ON CONFLICT (owner) DO UPDATE SET seen_at = excluded.seen_at',
        [owner.id, clock.now()],
      );
    },
    async alive(tx) {
      const rows = await tx.query<{ owner: string }>('SELECT owner FROM inbox_owner WHERE seen_at > $1', [
        clock.now() - goneAfterMs,
      ]);
      const others = rows.map((row) => row.owner).filter((id) => id !== owner.id && !owner.isGone(id));
      return [owner.id, ...others];
    },
    async stop(tx) {
      await tx.query('DELETE FROM inbox_owner WHERE owner = $1 OR seen_at <= $2', [
        owner.id,
        clock.now() - goneAfterMs,
      ]);
      beatAt = Number.NEGATIVE_INFINITY;
    },
  };
}
