/** Asks the store for what is due. A lane without room claims nothing, and makes no other lane wait. */
import type { Targets } from '../posting/targets.ts';
import type { ClaimFilter, OwedEvent, Store } from '../store.ts';
import type { Lane, Lanes } from './lanes.ts';

interface ClaimOptions {
  readonly store: Pick<Store, 'claimDue'>;
  readonly targets: Targets;
  readonly lanes: Lanes;
  /** Sources that this run forwards for. */
  readonly sources: () => readonly string[];
  readonly accepts: () => boolean;
  readonly enqueue: (owed: OwedEvent) => void;
}

/** Claims for these lanes. Resolves once each of them has had its turn. */
export type Claim = (those: readonly Lane[]) => Promise<void>;

/** Runs one claim after another. */
export function createClaim({ store, targets, lanes, sources, accepts, enqueue }: ClaimOptions): Claim {
  const waiting = new Set<Lane>();
  let last: Promise<void> = Promise.resolve();
  const withRoom = (those: readonly Lane[]) => those.filter((lane) => lanes.remainingCapacity(lane) > 0);

  async function claimFor(those: readonly Lane[]): Promise<void> {
    for (const lane of those) waiting.delete(lane);
    const asking = withRoom(those);
    for (const lane of asking) lane.hasMore = false;
    for (const source of sources()) await claimFrom(source, asking);
  }

  /**
   * Claims the oldest first until nothing is due. After a full claim, the lane that holds the most has had its turn.
   */
  async function claimFrom(source: string, asking: readonly Lane[]): Promise<void> {
    let turn = withRoom(asking);
    while (accepts() && turn.length > 0) {
      // Small enough that every lane has room, however the claimed events are spread.
      const limit = Math.min(...turn.map(lanes.remainingCapacity));
      const claimed = await store.claimDue(source, limit, choiceOf(turn));
      claimed.forEach(enqueue);
      if (claimed.length < limit) return;
      const fullest = turn.reduce((one, other) => (other.ready.length > one.ready.length ? other : one));
      fullest.hasMore = true;
      turn = withRoom(turn.filter((lane) => lane !== fullest));
    }
  }

  function choiceOf(turn: readonly Lane[]): ClaimFilter {
    const names = targets.eventsRoutedTo((url) => turn.some((lane) => lane.url === url));
    const others = lanes.all().filter((lane) => !turn.includes(lane));
    return { names, excludedTargets: others.map(({ url }) => url) };
  }

  return (those) => {
    const fresh = those.filter((lane) => !waiting.has(lane));
    if (fresh.length === 0) return last;
    for (const lane of fresh) waiting.add(lane);
    last = last.catch(() => {}).then(() => claimFor(fresh));
    return last;
  };
}
