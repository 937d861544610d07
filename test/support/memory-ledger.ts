/**
 * The ledger in memory, for the simulation: the same constraints, checked by the same conformance suite.
 * `departs`: it can mark the departure at the last moment, as SQLite can and PostgreSQL cannot.
 * Each method runs without a pause in between, which is what a transaction is here.
 */
import { ConstraintError } from '../../src/database/port.ts';
import {
  addressSuffixOf,
  type Intent,
  type IntentEvent,
  type NewEvent,
  openStates,
  spendingStates,
} from '../../src/ledger/intent.ts';
import {
  type IntentSelector,
  type Ledger,
  type MarkSendingOptions,
  OvertakenError,
  type SendingResult,
} from '../../src/ledger/ledger.ts';
import { applyChange, toDeparted, toPlanned, toSending } from '../../src/ledger/transitions.ts';

export interface MemoryLedger extends Ledger {
  /** What a power cut loses: a departure mark that no later write has flushed. */
  cutPower(): void;
}

export function memoryLedger({ departs = true } = {}): MemoryLedger {
  const id = 'memory';
  const intents = new Map<string, Intent>();
  const events: { readonly of: string; readonly event: IntentEvent }[] = [];
  const seen = new Map<string, number>();

  const inScope = (scope: string) => [...intents.values()].filter((one) => one.scope === scope);
  const withKind = (scope: string, kind: string) => inScope(scope).filter((one) => one.kind === kind);
  const withdrawals = (scope: string) => withKind(scope, 'withdrawal');
  const isOpen = (one: Intent) => one.kind === 'withdrawal' && openStates.includes(one.state);
  const latest = (scope: string, except?: string) =>
    Math.max(0, ...withdrawals(scope).map((one) => (one.id === except ? 0 : (one.fence ?? 0))));
  const spent = (scope: string, since: number) =>
    withdrawals(scope)
      .filter((one) => spendingStates.includes(one.state) && (one.sentAt ?? one.createdAt) >= since)
      .reduce((sum, one) => sum + one.amount, 0);

  let unflushed: Intent | null = null;
  const write = (intent: Intent, event: NewEvent) => {
    refuse(intent);
    unflushed = null;
    intents.set(intent.id, intent);
    const { version, state } = intent;
    events.push({ of: intent.id, event: { details: {}, ...event, version, state } });
  };

  /** The constraints of `migrations.ts`. */
  const refuse = (intent: Intent) => {
    for (const other of inScope(intent.scope)) {
      if (other.id === intent.id) continue;
      if (other.idempotencyKey === intent.idempotencyKey) throw new ConstraintError('ledger_one_key', null);
      if (isOpen(intent) && isOpen(other)) throw new ConstraintError('ledger_one_open', null);
      if (other.kind !== intent.kind) continue;
      if (intent.resourceId !== null && other.resourceId === intent.resourceId)
        throw new ConstraintError('ledger_one_claim', null);
      if (intent.fence !== null && other.fence === intent.fence)
        throw new ConstraintError('ledger_one_fence', null);
    }
    if (['ACCEPTED', 'COMPLETED', 'FAILED'].includes(intent.state) && intent.resourceId === null)
      throw new ConstraintError('ledger_known_resource', null);
  };

  const current = (intent: Intent) => {
    const one = intents.get(intent.id);
    return one?.version === intent.version ? one : null;
  };

  const send = (intent: Intent, sending: MarkSendingOptions, event: NewEvent): SendingResult => {
    const baseline = new Set(sending.baseline);
    const next = toSending(intent, sending, event, { listedCount: baseline.size, departed: !departs });
    if (next === null || current(intent) === null) return { kind: 'stale' };
    if (next.kind === 'charge') {
      write(next, event);
      return { kind: 'sending', intent: next };
    }
    try {
      refuse(next);
    } catch {
      return { kind: withdrawals(next.scope).some(isOpen) ? 'busy' : 'stale' };
    }
    if (latest(next.scope, next.id) > sending.expectedFence) return { kind: 'stale' };
    if (sending.limit !== undefined) {
      const before = spent(next.scope, sending.limit.since);
      if (before + next.amount > sending.limit.cents) return { kind: 'over-limit', spent: before };
    }
    write(next, event);
    for (const one of baseline) {
      const key = `${next.scope}\n${one}`;
      if (!seen.has(key)) seen.set(key, next.fence ?? 0);
    }
    return { kind: 'sending', intent: next };
  };

  return {
    id,
    location: 'memory',
    find: async (scope, key) => inScope(scope).find((one) => one.idempotencyKey === key) ?? null,
    findOpen: async (scope) => inScope(scope).find(isOpen) ?? null,
    fence: async (scope) => latest(scope),
    lastSent: async (scope, request, from = 1) =>
      withdrawals(scope)
        .filter((one) => one.request === request && (one.fence ?? 0) >= from)
        .sort((a, b) => (b.fence ?? 0) - (a.fence ?? 0))[0] ?? null,
    async plan(intent, event) {
      const known = inScope(intent.scope).find((one) => one.idempotencyKey === intent.idempotencyKey);
      if (known !== undefined) return { created: false, intent: known };
      const fresh = toPlanned(intent, event);
      write(fresh, event);
      return { created: true, intent: fresh };
    },
    markSending: async (intent, sending, event) => send(intent, sending, event),
    ...(departs
      ? {
          markDeparted(intent: Intent, event: NewEvent) {
            if (current(intent) === null) throw new OvertakenError();
            const next = toDeparted(intent, event);
            const before = current(intent);
            write(next, event);
            unflushed = before;
            return next;
          },
        }
      : {}),
    async record(intent, change, event) {
      const next = applyChange(intent, change, event);
      if (current(intent) !== null) {
        write(next, event);
        return next;
      }
      return events.some((one) => one.event.id === event.id) ? (intents.get(intent.id) ?? null) : null;
    },
    async baseline(scope, fence) {
      const prefix = `${scope}\n`;
      return new Set(
        [...seen]
          .filter(([key, first]) => key.startsWith(prefix) && first <= fence)
          .map(([key]) => key.slice(prefix.length)),
      );
    },
    async findClaimedIds(scope, kind, ids) {
      const all = new Set(withKind(scope, kind).map(({ resourceId }) => resourceId));
      return new Set([...ids].filter((one) => all.has(one)));
    },
    spentSince: async (scope, since) => spent(scope, since),
    list: async (scope, { kind, states, limit } = {}) =>
      inScope(scope)
        .filter((one) => (kind ?? one.kind) === one.kind && (states ?? [one.state]).includes(one.state))
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
        .slice(0, limit),
    async *listClaims(scope, kind) {
      const keys = withKind(scope, kind).map((one) => one.idempotencyKey);
      for (const key of keys.sort()) yield withKind(scope, kind).filter((one) => one.idempotencyKey === key);
    },
    async *listIntents(scope, kind) {
      yield withKind(scope, kind).sort((a, b) => (a.idempotencyKey < b.idempotencyKey ? -1 : 1));
    },
    scopes: async () => [...new Set([...intents.values()].map(({ scope }) => scope))].sort(),
    findMany: async (scope, kind, selector) => withKind(scope, kind).filter(isOf(selector)),
    firstSeen: async (scope, ids) =>
      new Map(
        ids.flatMap((one) => {
          const first = seen.get(`${scope}\n${one}`);
          return first === undefined ? [] : [[one, first] as const];
        }),
      ),
    inEveryScope: async (key) =>
      [...intents.values()].filter((one) => one.kind === 'withdrawal' && one.idempotencyKey === key),
    openElsewhere: async (scope) =>
      [...intents.values()].filter((one) => one.kind === 'withdrawal' && one.scope !== scope && isOpen(one)),
    refusedElsewhere: async (scope, amounts) =>
      [...intents.values()].filter(
        (one) =>
          one.kind === 'withdrawal' &&
          one.scope !== scope &&
          one.state === 'REFUSED' &&
          amounts.has(one.amount),
      ),
    inOtherScopes: async (scope, selector) =>
      [...intents.values()].filter(
        (one) => one.kind === 'withdrawal' && one.scope !== scope && isOf(selector)(one),
      ),
    possibleOwnersElsewhere: async (scope, resourceId, sentSince) =>
      [...intents.values()].filter(
        (one) =>
          one.kind === 'withdrawal' &&
          one.scope !== scope &&
          (one.resourceId === resourceId ||
            isOpen(one) ||
            ((one.sentAt ?? 0) >= sentSince &&
              events.some(({ of, event }) => of === one.id && event.state === 'REFUSED'))),
      ),
    spendingUnderOtherLabels: async (scope, since) =>
      [...intents.values()].filter(
        (one) =>
          one.kind === 'withdrawal' &&
          one.scope !== scope &&
          addressSuffixOf(one.scope) === addressSuffixOf(scope) &&
          (isOpen(one) || (spendingStates.includes(one.state) && (one.sentAt ?? one.createdAt) >= since)),
      ),
    events: async (intent) => events.filter(({ of }) => of === intent.id).map(({ event }) => event),
    close: async () => {},
    cutPower() {
      if (unflushed === null) return;
      intents.set(unflushed.id, unflushed);
      events.pop();
      unflushed = null;
    },
  };
}

const isOf =
  (selector: IntentSelector) =>
  ({ idempotencyKey, resourceId }: Intent): boolean =>
    'keys' in selector
      ? selector.keys.includes(idempotencyKey)
      : resourceId !== null && selector.resourceIds.includes(resourceId);
