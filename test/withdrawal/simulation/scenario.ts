/** One run: orders, processes that carry them out under faults, then a healed world and a person to settle. */
import type { Cents, IdempotencyKey } from '../../../src/contract/brand.ts';
import type { Scope } from '../../../src/ledger/intent.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Outcome } from '../../../src/withdrawal/outcome/outcome.ts';
import { defaultPolicy } from '../../../src/withdrawal/policy/policy.ts';
import { reconcile } from '../../../src/withdrawal/reconcile.ts';
import type { WithdrawRequest } from '../../../src/withdrawal/request.ts';
import { resolve } from '../../../src/withdrawal/resolve.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import type { MemoryLedger } from '../../support/memory-ledger.ts';
import { Hosts } from './hosts.ts';
import { Judge } from './judge.ts';
import { randomFrom } from './random.ts';
import { ServiceModel } from './service-model.ts';
import { isLate, waysFrom } from './ways.ts';
import { type Process, World } from './world.ts';

export interface RunResult {
  /** What went wrong, or null. */
  readonly violation: string | null;
  readonly trace: readonly string[];
  /** What happened, for the summary: a proof that never lost an answer proves nothing. */
  readonly counts: Readonly<Record<string, number>>;
}

export async function runScenario(seed: number, ledger: Ledger, traced = false): Promise<RunResult> {
  const scenario = new Scenario(seed, ledger, traced);
  try {
    await scenario.play();
    return { violation: null, trace: scenario.world.trace ?? [], counts: scenario.judge.counts };
  } catch (cause) {
    const violation = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    return { violation, trace: scenario.world.trace ?? [], counts: scenario.judge.counts };
  }
}

class Scenario {
  readonly world: World;
  readonly service: ServiceModel;
  readonly judge: Judge;
  readonly ledger: Ledger;
  readonly scope: Scope;
  readonly orders: WithdrawRequest[];
  readonly #power: MemoryLedger | null;
  readonly #hosts: Hosts;

  constructor(seed: number, ledger: Ledger | MemoryLedger, traced: boolean) {
    const random = randomFrom(seed);
    this.world = new World(random, traced ? [] : null);
    const ways = waysFrom(seed);
    // Shorter than the time for which a list may be late: what was read before it must not count after it.
    if (isLate(ways)) this.world.suspensions = [200, 600, 1_200, 60_000, 600_000];
    for (const name of ways.names) this.world.log(null, `way: ${name}`);
    this.service = new ServiceModel(this.world, ways);
    this.ledger = ledger;
    this.#power = 'cutPower' in ledger && ledger.markDeparted !== undefined ? ledger : null;
    this.scope = `sim-${seed} http://model` as Scope;
    this.orders = Array.from({ length: random.int(1, 3) }, (_, at) => ({
      scope: this.scope,
      idempotencyKey: `K${at + 1}` as IdempotencyKey,
      // Few, so that orders often look alike.
      amount: random.pick([1_050, 1_050, 2_000]) as Cents,
      pixKey: random.pick(ways.pixKeys),
      pixKeyType: ways.pixKeyType,
      policy: random.chance(0.1) ? { ...defaultPolicy, maxPerDay: 2_100 as Cents } : defaultPolicy,
      savedDestination: true,
      busyTimeoutMs: 600_000,
    }));
    if (random.chance(0.4)) this.service.remember(random.pick(this.orders), random.int(1, ways.history));
    const judge = new Judge(this.world, this.service, ledger, this.orders);
    this.judge = judge;
    this.#hosts = new Hosts(this.world, this.service, ledger, {
      name: this.scope,
      tellsStarts: seed % 10 > 0,
      isOneMachine: this.#power !== null,
      rescued: (line) => judge.rescued(line),
      heldGone: judge.heldGone,
    });
    // Told to the world: thrown into the protocol, it would be taken for a lost answer.
    this.service.onDeparture = (process, key) =>
      this.judge.departed(process, key).catch((violation) => {
        this.world.crash ??= violation;
      });
  }

  async play(): Promise<void> {
    const { world } = this;
    this.#spawnAll();
    await world.run();
    await this.judge.ended();
    await this.#heal();
    await this.judge.healed();
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
    for (const order of this.orders) {
      for (let run = 1; run <= random.int(1, 4); run++) {
        world.spawn(options(`${order.idempotencyKey}.${run}`), (process) => this.#withdraw(process, order));
      }
    }
    if (random.chance(0.3))
      world.spawn(options('reconciler'), async (process) => {
        this.judge.heard(await reconcile(this.#hosts.dependencies(process, ''), { scope: this.scope }));
      });
    if (random.chance(0.3))
      // Not held up between what they look at and what they say.
      world.spawn(
        { ...options('person'), suspendRate: 0, at: world.time + random.int(0, 400_000) },
        (process) => this.#person(process),
      );
    if (random.chance(0.2)) this.#elsewhere();
    // Hosts that share a SQLite file are containers of one machine.
    if (this.#power !== null && random.chance(0.2))
      world.schedule(random.int(0, 2_000), 'the power is cut', () => {
        world.log(null, 'the power is cut');
        world.cutPower();
        this.#power?.cutPower();
      });
    // A list that is late is waited for by wall clocks, which have to agree (docs/withdrawals.md).
    if (random.chance(0.3) && !isLate(this.service.ways))
      world.schedule(random.int(0, horizon), 'a clock is set', () => {
        world.wallOffset[random.int(0, 1)] = random.pick([-3_600_000, -4_000, 4_000, 3_600_000]);
      });
  }

  /** Somebody uses the dashboard, perhaps for the very same amount and key. */
  #elsewhere(): void {
    const { world, service } = this;
    const order = world.random.pick(this.orders);
    const amount = world.random.pick([order.amount, 7_777]);
    world.schedule(world.random.int(0, 2_000), 'the dashboard withdraws', () => {
      service.create({ amount, pixKey: order.pixKey, pixKeyType: order.pixKeyType }, 'dashboard');
    });
  }

  async #withdraw(process: Process, order: WithdrawRequest): Promise<void> {
    const { random } = this.world;
    const request = {
      ...order,
      ifBusy: random.pick(['fail', 'fail', 'wait'] as const),
      busyTimeoutMs: random.int(1_000, 30_000),
      // Nobody says that it is another withdrawal who was shown the key's own.
      allowDuplicate: random.chance(0.05) && !this.judge.hasShownOwn(order.idempotencyKey),
    };
    const outcome = await withdraw(this.#hosts.dependencies(process, order.idempotencyKey), request);
    this.judge.heard(outcome, order);
    await outcome.recordTold?.().catch(() => {});
  }

  /**
   * Says "never sent" whenever the tool lets it. Across hosts, and across a start of the machine, the settle
   * time is measured by wall clocks: clocks that were just set an hour ahead are then beyond what can be
   * promised (docs/withdrawals.md). Where the list leaves out what has ended, it rests on the bank statement.
   */
  async #person(process: Process): Promise<void> {
    const open = await this.ledger.findOpen(this.scope);
    if (open === null) return;
    const { idempotencyKey, owner } = open;
    const sameStart = this.#hosts.tellsSameStart(process, owner);
    if (!sameStart && this.world.wallOffset.some((off) => off !== 0)) return;
    if (this.service.isInStatementOnly(idempotencyKey)) return;
    await resolve(this.#hosts.dependencies(process, ''), {
      scope: this.scope,
      idempotencyKey,
      verdict: { kind: 'not-sent' },
    });
  }

  /** No more faults: cron runs each order again, and a person settles what the service itself cannot tell. */
  async #heal(): Promise<void> {
    const { world, orders } = this;
    world.faults = false;
    world.log(null, 'healed');
    // A clock that was an hour ahead when it sent takes nine rounds to settle, and each order may have its turn.
    for (let round = 0; round < 36 && !(await this.judge.settled()); round++) {
      world.time += 400_000;
      for (const order of orders) await this.#again(order, `${order.idempotencyKey}.healed${round}`);
    }
  }

  async #again(order: WithdrawRequest, name: string): Promise<void> {
    const { world } = this;
    const options = { name, host: 0, at: world.time, killRate: 0, suspendRate: 0 };
    let outcome: Outcome | null = null;
    world.spawn(options, async (process) => {
      const dependencies = this.#hosts.dependencies(process, order.idempotencyKey);
      outcome = await withdraw(dependencies, { ...order, policy: defaultPolicy, ifBusy: 'wait' });
      this.judge.heard(outcome, order);
      await outcome.recordTold?.().catch(() => {});
      await this.judge.decideFor(outcome, order, dependencies);
    });
    await world.run();
  }
}
