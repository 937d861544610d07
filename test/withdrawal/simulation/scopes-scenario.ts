/**
 * One run of several scopes: two labels that are one merchant, two addresses that are one service, one ledger. Each
 * order has a key of its own and belongs to one label, as the promise asks; it is sent from either address.
 */
import type { Cents, IdempotencyKey } from '../../../src/contract/brand.ts';
import { addressSuffixOf, labelOf, type Scope } from '../../../src/ledger/intent.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Outcome } from '../../../src/withdrawal/outcome/outcome.ts';
import { defaultPolicy } from '../../../src/withdrawal/policy/policy.ts';
import { reconcile } from '../../../src/withdrawal/reconcile.ts';
import type { WithdrawRequest } from '../../../src/withdrawal/request.ts';
import { type ResolveRequest, resolve } from '../../../src/withdrawal/resolve.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import { Hosts } from './hosts.ts';
import { randomFrom } from './random.ts';
import type { RunResult } from './scenario.ts';
import { ScopesJudge } from './scopes-judge.ts';
import { ServiceModel } from './service-model.ts';
import { isLate, waysFrom } from './ways.ts';
import { type Process, World } from './world.ts';

const scopes = ['loja http://one', 'loja http://two', 'filial http://one', 'filial http://two'] as Scope[];

export async function runScopesScenario(seed: number, ledger: Ledger, traced = false): Promise<RunResult> {
  const scenario = new ScopesScenario(seed, ledger, traced);
  const end = (violation: string | null) => ({
    violation,
    trace: scenario.world.trace ?? [],
    counts: scenario.judge.counts,
  });
  try {
    await scenario.play();
    return end(null);
  } catch (cause) {
    return end(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
}

class ScopesScenario {
  readonly world: World;
  readonly judge: ScopesJudge;
  readonly #service: ServiceModel;
  readonly #ledger: Ledger;
  readonly #orders: WithdrawRequest[];
  readonly #hosts: Hosts;

  constructor(seed: number, ledger: Ledger, traced: boolean) {
    const random = randomFrom(seed ^ 0x5c0be5);
    const world = new World(random, traced ? [] : null);
    const ways = waysFrom(seed);
    if (isLate(ways)) world.suspensions = [200, 600, 1_200, 60_000, 600_000];
    for (const name of ways.names) world.log(null, `way: ${name}`);
    this.world = world;
    this.#ledger = ledger;
    this.#service = new ServiceModel(world, ways);
    this.#orders = Array.from({ length: random.int(2, 3) }, (_, at) => ({
      scope: random.pick(scopes),
      idempotencyKey: `K${at + 1}` as IdempotencyKey,
      // Few, so that orders often look alike.
      amount: random.pick([1_050, 1_050, 1_050, 2_000]) as Cents,
      pixKey: random.pick(ways.pixKeys),
      pixKeyType: ways.pixKeyType,
      policy: defaultPolicy,
      savedDestination: true,
      busyTimeoutMs: 600_000,
    }));
    if (random.chance(0.3)) this.#service.remember(random.pick(this.#orders), random.int(1, ways.history));
    const judge = new ScopesJudge(world, this.#service, ledger, { scopes, orders: this.#orders });
    this.judge = judge;
    this.#hosts = new Hosts(world, this.#service, ledger, {
      name: `scopes-${seed}`,
      tellsStarts: seed % 10 > 0,
      isOneMachine: ledger.markDeparted !== undefined,
      rescued: (line) => world.log(null, line),
      heldGone: judge.heldGone,
    });
    // Told to the world: thrown into the protocol, it would be taken for a lost answer.
    this.#service.onDeparture = (process, key) =>
      judge.departed(process, key).catch((violation) => {
        world.crash ??= violation;
      });
  }

  async play(): Promise<void> {
    this.#spawnAll();
    await this.world.run();
    await this.judge.ended();
    this.world.faults = false;
    this.world.log(null, 'healed');
    for (let round = 0; round < 3; round++) {
      this.world.time += 400_000;
      for (const order of this.#orders) await this.#again(order, `${order.idempotencyKey}.healed${round}`);
      for (const scope of scopes)
        await this.#alone(`reconciler.healed${round}`, (it) => this.#look(it, scope));
    }
    await this.judge.ended();
  }

  #spawnAll(): void {
    const { world } = this;
    const { random } = world;
    const horizon = random.pick([100, 2_000, 60_000]);
    const options = (name: string) => ({
      name,
      host: random.int(0, 1),
      at: world.time + random.int(0, horizon),
      killRate: random.pick([0, 0.01, 0.04]),
      suspendRate: random.pick([0, 0, 0.03]),
    });
    for (const order of this.#orders)
      for (let run = 1; run <= random.int(1, 4); run++)
        world.spawn(options(`${order.idempotencyKey}.${run}`), (process) => this.#withdraw(process, order));
    for (const scope of scopes) {
      if (random.chance(0.3))
        world.spawn(options(`reconciler ${scope}`), (process) => this.#look(process, scope));
      if (random.chance(0.2))
        // Not held up between what they look at and what they say.
        world.spawn(
          { ...options(`person ${scope}`), suspendRate: 0, at: world.time + random.int(0, 400_000) },
          (process) => this.#sayNotSent(process, scope),
        );
    }
    if (random.chance(0.1)) this.#elsewhere();
    // A list that is late is waited for by wall clocks, which have to agree (docs/withdrawals.md).
    if (random.chance(0.2) && !isLate(this.#service.ways))
      world.schedule(random.int(0, horizon), 'a clock is set', () => {
        world.wallOffset[random.int(0, 1)] = random.pick([-3_600_000, -4_000, 4_000, 3_600_000]);
      });
  }

  /** Somebody uses the dashboard, perhaps for the very same amount and key. */
  #elsewhere(): void {
    const { random } = this.world;
    const { amount, pixKey, pixKeyType } = random.pick(this.#orders);
    this.world.schedule(random.int(0, 2_000), 'the dashboard withdraws', () => {
      this.#service.create({ amount, pixKey, pixKeyType }, 'dashboard');
    });
  }

  /** From the order's own address, or from the other one. */
  async #withdraw(process: Process, order: WithdrawRequest): Promise<void> {
    const { random } = this.world;
    const request = {
      ...order,
      scope: random.chance(0.6) ? order.scope : otherAddress(order.scope),
      ifBusy: random.pick(['fail', 'fail', 'wait'] as const),
      busyTimeoutMs: random.int(1_000, 30_000),
      // Nobody says that it is another withdrawal who was shown the key's own.
      allowDuplicate: random.chance(0.05) && !this.judge.hasShownOwn(order.idempotencyKey),
    };
    this.world.log(process, `from ${request.scope}${request.allowDuplicate ? ', allowing duplicates' : ''}`);
    const outcome = await withdraw(this.#hosts.dependencies(process, order.idempotencyKey), request);
    this.judge.heard(outcome, order);
    await outcome.recordTold?.().catch(() => {});
  }

  async #look(process: Process, scope: Scope): Promise<void> {
    this.judge.heard(await reconcile(this.#hosts.dependencies(process, ''), { scope }), null);
  }

  /** Whenever the tool lets them, and no clock was set: by it the time is measured across hosts. */
  async #sayNotSent(process: Process, scope: Scope): Promise<void> {
    const open = await this.#ledger.findOpen(scope);
    if (open === null || this.#service.isInStatementOnly(open.idempotencyKey)) return;
    if (!this.#hosts.tellsSameStart(process, open.owner) && this.world.wallOffset.some((off) => off !== 0))
      return;
    await this.#say(process, scope, open.idempotencyKey, { kind: 'not-sent' });
  }

  async #say(
    process: Process,
    scope: Scope,
    idempotencyKey: IdempotencyKey,
    verdict: ResolveRequest['verdict'],
  ): Promise<Outcome> {
    const said = await resolve(this.#hosts.dependencies(process, ''), { scope, idempotencyKey, verdict });
    this.world.log(process, `a person says ${JSON.stringify(verdict)} of ${idempotencyKey}: ${said.code}`);
    return said;
  }

  async #alone(name: string, body: (process: Process) => Promise<void>): Promise<void> {
    this.world.spawn({ name, host: 0, at: this.world.time, killRate: 0, suspendRate: 0 }, body);
    await this.world.run();
  }

  /** Runs the order again at both of its addresses; a person who knows the truth decides what is left to them. */
  async #again(order: WithdrawRequest, name: string): Promise<void> {
    const { idempotencyKey } = order;
    for (const scope of [order.scope, otherAddress(order.scope)])
      await this.#alone(name, async (process) => {
        const dependencies = this.#hosts.dependencies(process, idempotencyKey);
        const outcome = await withdraw(dependencies, { ...order, scope, ifBusy: 'wait' });
        this.judge.heard(outcome, order);
        await outcome.recordTold?.().catch(() => {});
        if (outcome.exit !== 'unknown' && outcome.exit !== 'duplicate') return;
        const own = this.judge.ownOf(idempotencyKey);
        if (own !== undefined) {
          const said = await this.#say(process, scope, idempotencyKey, { kind: 'withdrawal', id: own.id });
          return this.judge.heard(said, order);
        }
        if (outcome.exit === 'unknown')
          return void (await this.#say(process, scope, idempotencyKey, {
            kind: 'not-sent',
            shortList: this.#service.ways.leavesOut !== 'nothing',
          }));
        const again = await withdraw(dependencies, { ...order, scope, ifBusy: 'wait', allowDuplicate: true });
        this.judge.heard(again, order);
      });
  }
}

const otherAddress = (scope: Scope): Scope =>
  scopes.find((one) => labelOf(one) === labelOf(scope) && addressSuffixOf(one) !== addressSuffixOf(scope)) ??
  scope;
