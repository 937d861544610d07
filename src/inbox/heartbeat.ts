/**
 * Who may forward what: a claim belongs to one running process. A process that is gone, or that has not been seen for a
 * while, loses its claims, so that a killed listener's events go on elsewhere.
 */
import type { Clock } from '../clock.ts';
import type { Database, Queries } from '../database/port.ts';

/** This process, as others that share the inbox know it. */
export interface ClaimOwner {
  /** Unique to this run. */
  readonly id: string;
  /** Which process it is, for the `isGone` of others. */
  readonly process: string;
  /** True if the process has certainly ended; false if that is not known. */
  isGone(process: string): Promise<boolean>;
}

const beatEveryMs = 5_000;
/** An owner not seen for this long counts as gone. */
export const goneAfterMs = 20_000;
/** After a silence this long, a process looks again whether its claims still stand: the clocks of others may differ. */
const doubtfulAfterMs = goneAfterMs / 2;

export interface Heartbeat {
  /** Says "still here", but not often; runs in the transaction of whatever is being written anyway. */
  beat(tx: Queries): Promise<void>;
  /**
   * Call it once that transaction is committed: one that was rolled back, or ran again, has said nothing. From then on,
   * "still here" is also said when nothing else is written, because an application may take longer to answer than
   * others wait.
   */
  onCommitted(): void;
  /**
   * Whether this process has said nothing for so long, because it was suspended or could not write, that others may be
   * taking over its claims.
   */
  isSilent(): boolean;
  /** How many such silences have ended. A claim from before the last of them may have been taken over. */
  silences(): number;
  /** From the next "still here" on, also says to which addresses this process forwards; until `unregister`. */
  announce(targets: readonly string[]): void;
  /** Whether another live process has announced this address. */
  isAnnounced(tx: Queries, target: string): Promise<boolean>;
  /** Stops that, and waits for what is under way. */
  pause(): Promise<void>;
  /**
   * Returns which holders of claims are gone. Read the claims before calling: every holder had said that it lives
   * before it claimed.
   */
  findGoneOwners(tx: Queries, holders: readonly string[]): Promise<string[]>;
  /**
   * The same for a transaction that takes their claims over. An owner that wakes up meanwhile is either seen here, or
   * waits with its next "still here" until this transaction has ended.
   */
  retireGoneOwners(tx: Queries, holders: readonly string[]): Promise<string[]>;
  /** Forgets this owner, and those that are long gone. */
  unregister(tx: Queries): Promise<void>;
}

export interface HeartbeatDatabase {
  readonly dialect: Database['dialect'];
  /** Runs and commits a transaction. */
  readonly commit: (work: (tx: Queries) => Promise<void>) => Promise<unknown>;
}

export function createHeartbeat(
  owner: ClaimOwner,
  clock: Clock,
  { dialect, commit }: HeartbeatDatabase,
): Heartbeat {
  let beatAt = Number.NEGATIVE_INFINITY;
  let saidAt = Number.NEGATIVE_INFINITY;
  // The same by the clock that others judge by; the monotonic one stands still while the machine sleeps.
  let seenAt = Number.POSITIVE_INFINITY;
  let willBeSeenAt = seenAt;
  let silences = 0;
  let resting = new AbortController();
  let beating: Promise<void> | null = null;
  let announced: string | null = null;

  async function beatPeriodically({ signal }: AbortController): Promise<void> {
    for (;;) {
      await clock.sleep(beatEveryMs, signal);
      if (signal.aborted) return;
      // Whatever is wrong is reported to whoever has something to write.
      await commit(heartbeat.beat).then(heartbeat.onCommitted, () => {});
    }
  }

  /** `isSilent`: nothing but its silence says so, and it may wake up again. */
  async function goneAmong(tx: Queries, holders: readonly string[]) {
    const others = holders.filter((id) => id !== owner.id);
    if (others.length === 0) return [];
    const seen = await tx.query<{ owner: string; process: string | null }>(
      'SELECT owner, process FROM inbox_owner WHERE seen_at > $1',
      [clock.now() - goneAfterMs],
    );
    const processes = new Map(seen.map((row) => [row.owner, row.process]));
    const gone: { readonly id: string; readonly isSilent: boolean }[] = [];
    for (const id of others) {
      const its = processes.get(id);
      if (await hasEnded(owner, its)) gone.push({ id, isSilent: its === undefined });
    }
    return gone;
  }

  /**
   * Locks the row of an owner until the transaction ends, and makes one if it is missing. Returns false if the owner
   * has woken up, and if somebody has locked the row: the owner is waking up, or is being retired by another. Nobody is
   * waited for, because each holds its own row meanwhile. SQLite has one writer at a time, and needs no lock.
   */
  async function lockSilent(tx: Queries, id: string): Promise<boolean> {
    if (dialect === 'sqlite') return true;
    const silent = [id, clock.now() - goneAfterMs];
    const locked = await tx.query(
      'SELECT owner FROM inbox_owner WHERE owner = $1 AND seen_at <= $2 FOR UPDATE SKIP LOCKED',
      silent,
    );
    if (locked.length === 1) return true;
    const made = await tx.execute(
      'INSERT INTO inbox_owner (owner, seen_at) VALUES ($1, $2) ON CONFLICT (owner) DO NOTHING',
      silent,
    );
    return made === 1;
  }

  const heartbeat: Heartbeat = {
    async beat(tx) {
      if (clock.monotonic() - beatAt < beatEveryMs && !heartbeat.isSilent()) return;
      saidAt = clock.monotonic();
      willBeSeenAt = clock.now();
      await tx.query(
        'INSERT INTO inbox_owner (owner, seen_at, process, targets) VALUES ($1, $2, $3, $4) ON CONFLICT (owner) DO UPDATE SET seen_at = excluded.seen_at, process = excluded.process, targets = excluded.targets',
        [owner.id, willBeSeenAt, owner.process, announced],
      );
    },
    announce(targets) {
      announced = JSON.stringify(targets);
      beatAt = Number.NEGATIVE_INFINITY;
    },
    async isAnnounced(tx, target) {
      const rows = await tx.query<{ owner: string; targets: string }>(
        'SELECT owner, targets FROM inbox_owner WHERE targets IS NOT NULL AND owner <> $1',
        [owner.id],
      );
      const naming = rows.filter(({ targets }) => (JSON.parse(targets) as string[]).includes(target));
      const owners = naming.map((row) => row.owner);
      return (await heartbeat.findGoneOwners(tx, owners)).length < owners.length;
    },
    isSilent: () => clock.now() - seenAt >= doubtfulAfterMs,
    silences: () => silences,
    onCommitted() {
      beatAt = saidAt;
      if (willBeSeenAt - seenAt >= doubtfulAfterMs) silences += 1;
      seenAt = willBeSeenAt;
      beating ??= beatPeriodically(resting);
    },
    async pause() {
      resting.abort();
      await beating;
      beating = null;
      resting = new AbortController();
    },
    async findGoneOwners(tx, holders) {
      return (await goneAmong(tx, holders)).map(({ id }) => id);
    },
    async retireGoneOwners(tx, holders) {
      const retired: string[] = [];
      for (const { id, isSilent } of await goneAmong(tx, holders)) {
        if (!isSilent || (await lockSilent(tx, id))) retired.push(id);
      }
      return retired;
    },
    async unregister(tx) {
      await tx.query('DELETE FROM inbox_owner WHERE owner = $1 OR seen_at <= $2', [
        owner.id,
        clock.now() - goneAfterMs,
      ]);
      announced = null;
      beatAt = Number.NEGATIVE_INFINITY;
      saidAt = Number.NEGATIVE_INFINITY;
      seenAt = Number.POSITIVE_INFINITY;
      willBeSeenAt = seenAt;
    },
  };
  return heartbeat;
}

/**
 * Whether another owner has ended. `its`: its process; undefined if it was not seen lately, null if it is an older
 * pixctl that has not said which process it is.
 */
const hasEnded = async (owner: ClaimOwner, its: string | null | undefined): Promise<boolean> =>
  its === undefined || (its !== null && (await owner.isGone(its)));
