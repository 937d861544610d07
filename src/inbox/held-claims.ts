/**
 * Which claims of this process are being worked on. A commit whose answer was lost with the connection may have
 * succeeded, which leaves claims that nobody works on for as long as this process lives. Those are given back.
 */
import type { Queries } from '../database/port.ts';
import { releaseClaim } from './forwards.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { InboxEvent } from './inbox.ts';

type Silence = Pick<Heartbeat, 'isSilent' | 'silences'>;

export interface HeldClaims {
  /** A key must be dropped as often as it is held. */
  hold(key: string): void;
  drop(key: string): void;
  /** Whether others may have taken the claim over, because this process was silent after it was made. */
  isDoubtful(key: string): boolean;
  /** Call it once the database has shown that the claim stands. */
  confirm(key: string): void;
  /** Call it when something that claims, or gives back a claim, has failed: it may have been committed anyway. */
  markUncertain(): void;
  /** Holds what `work` claims; if it fails, raises a doubt. */
  claim(work: () => Promise<InboxEvent[]>): Promise<InboxEvent[]>;
  /** Whether there may be claims that nobody works on; if so, the caller has to call `releaseOrphans`. */
  takeUncertainty(): boolean;
  /** Gives those claims back, in a transaction. While it runs, nothing may be claimed that was not held beforehand. */
  releaseOrphans(tx: Queries): Promise<void>;
  /** Call it once all claims have been given back. */
  clear(): void;
}

interface HeldClaim {
  readonly times: number;
  /** How many silences of this process had ended by then. */
  readonly silences: number;
}

export function createHeldClaims(ownerId: string, { isSilent, silences }: Silence): HeldClaims {
  const held = new Map<string, HeldClaim>();
  let doubtful = false;
  let claiming = 0;
  const hold = (key: string) => {
    const known = held.get(key);
    held.set(key, { times: (known?.times ?? 0) + 1, silences: known?.silences ?? silences() });
  };
  return {
    hold,
    drop(key) {
      const known = held.get(key);
      if (known !== undefined && known.times > 1) held.set(key, { ...known, times: known.times - 1 });
      else held.delete(key);
    },
    isDoubtful: (key) => isSilent() || (held.get(key)?.silences ?? silences()) < silences(),
    confirm(key) {
      const known = held.get(key);
      if (known !== undefined) held.set(key, { ...known, silences: silences() });
    },
    markUncertain() {
      doubtful = true;
    },
    async claim(work) {
      claiming += 1;
      try {
        const events = await work();
        for (const { key } of events) hold(key);
        return events;
      } catch (cause) {
        doubtful = true;
        throw cause;
      } finally {
        claiming -= 1;
      }
    },
    takeUncertainty() {
      if (!doubtful || claiming > 0) return false;
      doubtful = false;
      return true;
    },
    async releaseOrphans(tx) {
      const claimed = await tx.query<{ key: string }>(
        "SELECT key FROM inbox_event WHERE state = 'WAITING' AND claimed_by = $1",
        [ownerId],
      );
      for (const { key } of claimed) {
        if (!held.has(key)) await releaseClaim(tx, key, ownerId);
      }
    },
    clear: () => held.clear(),
  };
}
