/** A send that began a given time ago, as each of the clocks of this run measures it. */
import type { Intent, IntentEvent } from '../../src/ledger/intent.ts';
import type { Owner, Owners } from '../../src/owner/owner.ts';
import type { TimingDependencies } from '../../src/sending/send-timing.ts';

export const sentAt = 1_700_000_000_000;
const uptimeThen = 500_000;

export const self: Owner = { host: 'here', boot: 'boot-2', pid: 7, started: '70' };

export interface Measured {
  /** What passed by the time of day, ms; less than nothing if the clock is behind now. */
  readonly byDay: number;
  /** What passed by the uptime of this machine, ms. */
  readonly byUptime: number;
  /** Null: this process. */
  readonly owner?: Partial<Owner> | null;
  /** The limit that the sender had for its exchange, ms. */
  readonly timeoutMs?: number;
  readonly events?: readonly Pick<IntentEvent, 'what' | 'at' | 'details'>[];
  readonly self?: Partial<Owner>;
  readonly liveness?: Awaited<ReturnType<Owners['liveness']>>;
  /** Whether the ledger lies on this machine's disk. */
  readonly isLocal?: boolean;
}

export function measured(it: Measured): { dependencies: TimingDependencies; intent: Intent } {
  const events = it.events ?? [
    { what: 'planned', at: sentAt, details: {} },
    { what: 'sending', at: sentAt, details: { uptimeMs: 1, timeoutMs: 1 } },
    { what: 'sending', at: sentAt, details: { uptimeMs: uptimeThen, timeoutMs: it.timeoutMs ?? 30_000 } },
    { what: 'note', at: sentAt, details: {} },
  ];
  const ledger = { events: async () => events, ...(it.isLocal === false ? {} : { markDeparted: () => {} }) };
  const owners = {
    self: { ...self, ...it.self },
    uptime: () => uptimeThen + it.byUptime,
    liveness: async () => it.liveness ?? 'alive',
  };
  const owner = it.owner === null ? null : { ...self, ...it.owner };
  return {
    dependencies: { ledger, owners, clock: { now: () => sentAt + it.byDay }, requestTimeoutMs: 30_000 },
    intent: { state: 'SENDING', sentAt, owner, departed: false, updatedAt: sentAt + 1_000 },
  } as unknown as { dependencies: TimingDependencies; intent: Intent };
}
