/** The invariants, judged with the truth that only the model knows. */
import type { IdempotencyKey } from '../../../src/contract/brand.ts';
import type { Intent } from '../../../src/ledger/intent.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Dependencies } from '../../../src/withdrawal/dependencies.ts';
import type { Outcome } from '../../../src/withdrawal/outcome/outcome.ts';
import { defaultPolicy } from '../../../src/withdrawal/policy/policy.ts';
import type { WithdrawRequest } from '../../../src/withdrawal/request.ts';
import { type ResolveRequest, resolve } from '../../../src/withdrawal/resolve.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import type { Made, ServiceModel } from './service-model.ts';
import type { Process, World } from './world.ts';

export class Violation extends Error {}

export class Judge {
  readonly counts: Record<string, number> = {};
  readonly world: World;
  readonly service: ServiceModel;
  readonly ledger: Ledger;
  readonly orders: readonly WithdrawRequest[];
  readonly #baseline = new Map<string, ReadonlySet<string>>();

  /** Pids of senders that another process was told are gone, whether they were or not. */
  readonly heldGone = new Set<number>();

  /** What a person has named though its key is not written out. */
  readonly #named = new Set<string>();

  readonly #shownOwn = new Set<string>();

  constructor(world: World, service: ServiceModel, ledger: Ledger, orders: readonly WithdrawRequest[]) {
    this.world = world;
    this.service = service;
    this.ledger = ledger;
    this.orders = orders;
    for (const name of service.ways.names) this.#count(`way: ${name}`);
  }

  /** A byte has left for `key`: it must be this key's own send, alone, on the disk, and no money unknown. */
  async departed(process: Process, key: string): Promise<void> {
    this.#count('departures');
    const { scope } = this.#first;
    const intents = await this.ledger.list(scope, { kind: 'withdrawal' });
    const open = intents.filter(({ state }) => state === 'SENDING' || state === 'UNKNOWN');
    const mine = open.find(({ idempotencyKey }) => idempotencyKey === key);
    if (mine === undefined) {
      if (this.#isMisattributed(process, intents, key)) return;
      throw new Violation(`${process.name}: a byte left without a durable row`);
    }
    if (open.length > 1)
      throw new Violation(
        `${process.name}: a byte left while another withdrawal is ${open.map(said).join(', ')}`,
      );
    if (mine.owner?.pid !== process.pid)
      throw new Violation(`${process.name}: a byte left for a send of another process (${said(mine)})`);
    // What the sender saw before it sent: none of it can be what it sent.
    this.#baseline.set(key, this.service.shown.get(process) ?? new Set());
    for (const one of this.service.made) {
      if (!this.#isOurs(one)) continue;
      if (one.truth === key)
        throw new Violation(`${process.name}: a second byte left for ${key}, which made ${one.id}`);
      if (!this.#isTracked(intents, one))
        throw new Violation(`${process.name}: new money left while ${one.id} of ${one.truth} is not known`);
    }
  }

  /** An outcome that somebody was told. */
  heard(outcome: Outcome, order?: WithdrawRequest): void {
    this.#count(`exit ${outcome.exit}`);
    this.#count(`code ${outcome.code}`);
    this.world.log(null, `told ${outcome.exit} ${outcome.code} ${outcome.message}`);
    if (order === undefined) return;
    if (outcome.exit === 'duplicate' && this.#ownOf(order, outcome) !== undefined)
      this.#shownOwn.add(order.idempotencyKey);
    if (outcome.exit !== 'ok' && outcome.exit !== 'endedBadly') return;
    const { resourceId, inferred } = outcome.intent ?? {};
    const made = this.service.made.find(({ id }) => id === resourceId);
    if (made === undefined) throw new Violation(`told ${outcome.exit} without a withdrawal (${resourceId})`);
    if (made.amount !== order.amount || (made.pixKey !== order.pixKey && !this.#named.has(made.id)))
      throw new Violation(`told ${outcome.exit} with another order's withdrawal (${made.id})`);
    if (made.truth !== order.idempotencyKey && !(inferred && this.#hasNoise))
      throw new Violation(`told ${outcome.exit} to ${order.idempotencyKey} with ${made.id} of ${made.truth}`);
    if (this.#baseline.get(order.idempotencyKey)?.has(made.id))
      throw new Violation(`told ${outcome.exit} with ${made.id}, which was there before the send`);
    if (outcome.exit === 'ok' && outcome.intent?.state === 'COMPLETED' && made.status !== 'COMPLETED')
      throw new Violation(`told COMPLETED while ${made.id} is ${made.status}`);
  }

  /** A person was told (86) of a withdrawal that is the key's own: they will not say that it is another one. */
  hasShownOwn(key: string): boolean {
    return this.#shownOwn.has(key);
  }

  rescued(line: string): void {
    this.#count('rescued');
    this.world.log(null, line);
  }

  /** After the faults: whatever the service has of ours is claimed, or known to be unknown. */
  async ended(): Promise<void> {
    const intents = await this.ledger.list(this.#first.scope, { kind: 'withdrawal' });
    for (const { idempotencyKey } of this.orders) {
      const ours = this.service.made.filter(
        (one) => one.truth === idempotencyKey && !this.service.isGone(one),
      );
      if (ours.length > 1)
        throw new Violation(
          `${idempotencyKey} was paid ${ours.length} times: ${ours.map(({ id }) => id).join(', ')}`,
        );
    }
    for (const one of this.service.made) {
      if (this.#isOurs(one) && !this.#isTracked(intents, one))
        throw new Violation(`lost track of ${one.id} of ${one.truth}`);
    }
    for (const intent of intents) {
      this.#count(`ended ${intent.state}`);
      const events = await this.ledger.events(intent);
      if (events.length !== intent.version || events.some(({ version }, at) => version !== at + 1))
        throw new Violation(`the history of ${intent.idempotencyKey} has gaps`);
      if (events.at(-1)?.state !== intent.state)
        throw new Violation(`the history of ${intent.idempotencyKey} ends elsewhere than its row`);
    }
    if (intents.filter(({ state }) => state === 'SENDING' || state === 'UNKNOWN').length > 1)
      throw new Violation('two withdrawals of one scope are open');
  }

  async settled(): Promise<boolean> {
    const intents = await this.ledger.list(this.#first.scope, { kind: 'withdrawal' });
    return intents.length === this.orders.length && intents.every(({ resourceId }) => resourceId !== null);
  }

  /** Once healed: every order is paid exactly once, and the ledger knows by which withdrawal. */
  async healed(): Promise<void> {
    await this.ended();
    if (!(await this.settled())) {
      const intents = await this.ledger.list(this.#first.scope);
      throw new Violation(`did not settle: ${intents.map(said).join(', ')}`);
    }
  }

  /** What a careful person does with an outcome that the tool leaves to them. */
  async decideFor(outcome: Outcome, order: WithdrawRequest, dependencies: Dependencies): Promise<void> {
    const { scope, idempotencyKey } = order;
    const say = async (key: IdempotencyKey, verdict: ResolveRequest['verdict']) => {
      const resolved = await resolve(dependencies, { scope, idempotencyKey: key, verdict });
      this.world.log(null, `a person says ${JSON.stringify(verdict)} of ${key}: ${resolved.code}`);
      return resolved;
    };
    const own = this.service.made.find((one) => one.truth === idempotencyKey && !this.service.isGone(one));
    if (outcome.exit === 'unknown') {
      this.#count('a person decides');
      if (own !== undefined) return void (await say(idempotencyKey, { kind: 'withdrawal', id: own.id }));
      const shortList = this.service.ways.leavesOut !== 'nothing';
      const { candidates = [] } = await say(idempotencyKey, { kind: 'not-sent', shortList });
      // The tool holds on to what can be this one. If it is not another key's, it is taken for this one, which
      // underpays.
      for (const { id = '' } of candidates) {
        const truth = this.service.made.find((one) => one.id === id)?.truth;
        const another = this.orders.find((one) => one.idempotencyKey === truth);
        const verdict = { kind: 'withdrawal', id } as const;
        if (another !== undefined && (await say(another.idempotencyKey, verdict)).exit === 'ok') continue;
        this.#named.add(id);
        await say(idempotencyKey, verdict);
      }
    }
    if (outcome.exit === 'duplicate') {
      const shown = this.#ownOf(order, outcome);
      if (shown !== undefined) {
        if (!this.service.overlooked.has(idempotencyKey))
          throw new Violation(`${idempotencyKey} is taken for unsent, and its own withdrawal for a twin`);
        this.#count('a person corrects a refusal');
        return this.heard(await say(idempotencyKey, { kind: 'withdrawal', id: shown.id }), order);
      }
      this.heard(
        await withdraw(dependencies, {
          ...order,
          policy: defaultPolicy,
          allowDuplicate: true,
          ifBusy: 'wait',
        }),
        order,
      );
    }
  }

  /** The candidate of `outcome` that this very order's request made. */
  #ownOf({ idempotencyKey }: WithdrawRequest, { candidates = [] }: Outcome): Made | undefined {
    return this.service.made.find(
      (one) =>
        one.truth === idempotencyKey &&
        !this.service.isGone(one) &&
        candidates.some(({ id }) => id === one.id),
    );
  }

  /** A withdrawal from elsewhere that looks like ours may be adopted: it underpays, and the audit shows it. */
  get #hasNoise(): boolean {
    return this.service.made.some(({ truth }) => truth === 'dashboard');
  }

  #isOurs(one: Made): boolean {
    return one.truth !== 'dashboard' && one.truth !== 'history' && !this.service.isGone(one);
  }

  /** Its intent claims it, or is known to be unknown; or stands as refused as far as the list is late. */
  #isTracked(intents: readonly Intent[], { id, truth }: Made): boolean {
    const intent = intents.find(({ idempotencyKey }) => idempotencyKey === truth);
    if (intent === undefined) return false;
    const { resourceId, state, inferred } = intent;
    if (resourceId === id || state === 'SENDING' || state === 'UNKNOWN') return true;
    if (state === 'REFUSED' && this.service.overlooked.has(truth)) return true;
    return this.#hasNoise && inferred && resourceId !== null;
  }

  /**
   * An equal withdrawal of the dashboard was taken for that of a sender which was wrongly held to be gone, and had yet
   * to send: beyond the promise (docs/withdrawals.md).
   */
  #isMisattributed({ pid, host }: Process, intents: readonly Intent[], key: string): boolean {
    const intent = intents.find(({ idempotencyKey }) => idempotencyKey === key);
    const isOffClock = this.world.wallOffset.some((off) => off !== this.world.wallOffset[host]);
    if (!this.heldGone.has(pid) && !isOffClock) return false;
    const isAnothers = this.service.made.some(
      ({ id, truth }) => id === intent?.resourceId && truth === 'dashboard',
    );
    if (isAnothers) this.#count('a sender is held to be gone, and another withdrawal to be its own');
    return isAnothers && intent?.inferred === true;
  }

  get #first(): WithdrawRequest {
    const [first] = this.orders;
    if (first === undefined) throw new Error('no orders');
    return first;
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

const said = ({ idempotencyKey, state }: Intent): string => `${idempotencyKey} ${state}`;
