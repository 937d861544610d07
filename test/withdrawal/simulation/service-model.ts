/**
 * A model of the service and of what lies between: it commits or does not at each point where an exchange
 * can break, and every withdrawal remembers whose POST made it, which no protocol gets to see.
 */
import type { Exchange, OutgoingRequest } from '../../../src/api/exchange.ts';
import type { CreateWithdrawalBody, Withdrawal } from '../../../src/contract/withdrawal.ts';
import { PixctlError } from '../../../src/errors.ts';
import type { Service } from '../../../src/withdrawal/dependencies.ts';
import { answerOf, courseIn, isRefusal, isTold, lost, notSent } from './course.ts';
import { Overlooked } from './overlooked.ts';
import { isLate, type Status, type Ways } from './ways.ts';
import type { Process, World } from './world.ts';
import { type Writing, write } from './writing.ts';

export interface Made {
  readonly id: string;
  /** What is sent by PIX, however the service writes it. */
  readonly amount: number;
  readonly fee: number;
  readonly pixKey: string;
  readonly pixKeyType: CreateWithdrawalBody['pixKeyType'];
  status: Status;
  readonly createdAt?: unknown;
  /** The key whose POST made it; `dashboard` and `history` for what came from elsewhere, now and long ago. */
  readonly truth: string;
  /** Its place in the order of creation. */
  readonly place: number;
  /** Each status, and the time at which it began. */
  readonly since: [number, Status][];
}

export class ServiceModel {
  readonly made: Made[] = [];
  readonly world: World;
  readonly ways: Ways;
  readonly newestFirst: boolean;
  readonly showsCreation: boolean;
  /** Runs when a byte has left for a key. */
  onDeparture: (process: Process, key: string) => Promise<void> = async () => {};
  #ids = 0;

  constructor(world: World, ways: Ways) {
    this.world = world;
    this.ways = ways;
    this.newestFirst = world.random.chance(0.5);
    this.showsCreation = world.random.chance(0.7);
  }

  /** The service as a process reaches it; `keyOf` tells the truth behind a body that does not. */
  seenBy(process: Process, key: () => string): Service {
    return {
      send: (request) => this.#send(process, key(), request),
      withdrawals: () => this.#list(process),
      withdrawal: async (id) => {
        await this.#read(process, 'get');
        const { getBehindMs, get } = this.ways;
        const found = this.made.find((one) => one.id === id);
        const status = found === undefined ? null : this.#statusOf(found, getBehindMs);
        if (found === undefined || status === null)
          throw new PixctlError('notFound', 'NOT_FOUND', 'no such withdrawal');
        return this.#written(found, get, status);
      },
    };
  }

  /** What the last whole list that a process read has shown it. */
  readonly shown = new WeakMap<Process, ReadonlySet<string>>();

  readonly overlooked = new Overlooked();

  /** No money of it has moved in the end, and its key may stand as one that made nothing: it may be sent again. */
  isGone({ status, truth }: Made): boolean {
    return status === 'FAILED' && (this.ways.leavesOut !== 'nothing' || this.overlooked.has(truth));
  }

  /** It has been paid, and the list does not show it: only a person who looks elsewhere knows. */
  isInStatementOnly(key: string): boolean {
    return this.ways.leavesOut === 'ended' && this.made.some((one) => one.truth === key && !this.isGone(one));
  }

  /** Payments of long ago that look just like an order of today. */
  remember(body: CreateWithdrawalBody, many: number): void {
    const { amount, pixKey, pixKeyType } = body;
    const createdAt = this.showsCreation ? this.ways.createdAt(Date.UTC(2026, 0)) : undefined;
    for (let at = 0; at < many; at++)
      this.made.push({
        amount,
        fee: 100,
        pixKey,
        pixKeyType,
        createdAt,
        id: this.ways.numericIds ? `${100 + at}` : `old${at}`,
        status: 'COMPLETED',
        truth: 'history',
        place: this.made.length,
        since: [[0, 'COMPLETED']],
      });
  }

  /** The service's own rules: one in flight, then a new PENDING one. */
  create({ amount, pixKey, pixKeyType }: CreateWithdrawalBody, truth: string): Made | null {
    const { world, ways } = this;
    if (ways.oneInFlight && this.made.some(isInFlight)) return null;
    const one: Made = {
      amount,
      pixKey,
      pixKeyType,
      id: `${ways.numericIds ? 1_000 : 'w'}${++this.#ids}`,
      fee: 100,
      status: ways.begins,
      truth,
      place: this.made.length,
      since: [[world.time, ways.begins]],
      createdAt: this.showsCreation ? ways.createdAt(1_790_000_000_000 + world.time) : undefined,
    };
    const becomes = (status: Status) => {
      one.status = status;
      one.since.push([world.time, status]);
    };
    this.made.push(one);
    world.log(null, `service makes ${one.id} for ${truth}`);
    if (!isInFlight(one)) return one;
    world.schedule(world.random.int(10, 3_000), `${one.id} is worked on`, () => {
      becomes('PROCESSING');
      world.schedule(world.random.int(10, 3_000), `${one.id} ends`, () => {
        becomes(world.random.chance(0.15) ? 'FAILED' : 'COMPLETED');
      });
    });
    return one;
  }

  async #send(process: Process, key: string, request: OutgoingRequest): Promise<Exchange> {
    const { world, ways } = this;
    await world.turn(process, 'connecting', world.random.int(0, 40));
    if (world.faults && world.random.chance(0.1)) return notSent('ECONNRESET');
    try {
      request.beforeFirstByte?.();
    } catch (cause) {
      return { kind: 'not-sent', cause };
    }
    // Marked, and not yet a byte on the wire.
    await world.turn(process, 'departing');
    if (world.faults && world.random.chance(0.03)) return lost('ECONNRESET');
    await this.onDeparture(process, key);
    const course = courseIn(world, ways);
    const body = JSON.parse(request.body ?? '') as CreateWithdrawalBody;
    let made: Made | null = null;
    let arrived = course.copyIsLate;
    // A copy that is held up for longer is beyond the promise.
    const latest = course.copyIsLate
      ? world.time + course.answerAt + ways.lateCopyMs
      : Number.POSITIVE_INFINITY;
    if (course.effectAt !== null)
      world.schedule(course.effectAt, `POST of ${key} arrives`, () => {
        arrived = true;
        if (world.time <= latest) made = this.create(body, key);
      });
    await world.turn(process, `waits for its answer (${course.answer})`, course.answerAt);
    // What the service itself says, it says after it has decided.
    const told = course.answer === 'true' || isTold(course.answer);
    while (told && course.effectAt !== null && !arrived) await world.turn(process, 'waits on', 5);
    if (isLate(ways) && course.effectAt !== null && isRefusal(course.answer))
      this.overlooked.refused(process, key, course.answer);
    return answerOf(course, made === null ? null : this.#written(made, ways.answer), body, ways);
  }

  async *#list(process: Process): AsyncGenerator<readonly Withdrawal[]> {
    const { ways, world } = this;
    const { pageSize } = ways;
    // One replica answers a whole reading.
    const behindMs = ways.listBehindMs > 0 ? world.random.int(0, ways.listBehindMs) : 0;
    const ids = new Set<string>();
    let last: Made | null = null;
    for (let page = 0; ; page++) {
      await this.#read(process, 'list');
      const all = this.#listed(behindMs);
      const from: number = ways.placeCursor ? page * pageSize : this.#after(all, last);
      const items = all.slice(from, from + pageSize);
      for (const { id } of items) ids.add(id);
      last = items.at(-1) ?? last;
      const ends = from + pageSize >= all.length;
      if (ends) this.#showed(process, ids);
      yield items.map((one) => this.#written(one, ways.list, this.#statusOf(one, behindMs) ?? one.status));
      if (ends) return;
    }
  }

  #listed(behindMs: number): Made[] {
    const { leavesOut } = this.ways;
    const visible =
      behindMs === 0 && leavesOut === 'nothing'
        ? this.made
        : this.made.filter((one) => {
            const status = this.#statusOf(one, behindMs);
            if (status === null || leavesOut === 'nothing') return status !== null;
            return status !== 'FAILED' && (leavesOut === 'FAILED' || status !== 'COMPLETED');
          });
    return this.newestFirst ? [...visible].reverse() : visible;
  }

  #after(all: readonly Made[], last: Made | null): number {
    if (last === null) return 0;
    const next = all.findIndex(({ place }) => (this.newestFirst ? place < last.place : place > last.place));
    return next === -1 ? all.length : next;
  }

  #showed(process: Process, ids: ReadonlySet<string>): void {
    const before = this.shown.get(process);
    const added = this.made.filter(({ id }) => ids.has(id) && !before?.has(id));
    this.overlooked.showed(
      process,
      added.map(({ truth }) => truth),
    );
    this.shown.set(process, ids);
  }

  /** What it was so long ago; null before it was made. */
  #statusOf({ status, since }: Made, behindMs: number): Status | null {
    if (behindMs === 0) return status;
    return since.findLast(([at]) => at <= this.world.time - behindMs)?.[1] ?? null;
  }

  #written(one: Made, writing: Writing, status = one.status): Withdrawal & { id: string } {
    const { id, amount, fee, pixKey, pixKeyType, createdAt } = one;
    const word = this.ways.words[status] ?? status;
    return write({ id, amount, fee, pixKey, pixKeyType, status: word, createdAt }, writing);
  }

  async #read(process: Process, what: string): Promise<void> {
    const { world } = this;
    await world.turn(process, what, world.random.int(1, 60));
    if (!world.faults || !world.random.chance(0.08)) return;
    this.overlooked.stopsLooking(process);
    const { retryAfterMs } = this.ways;
    const waits = retryAfterMs > 0 ? { retryAfterMs: world.random.int(1, retryAfterMs) } : {};
    throw new PixctlError('later', 'NOT_REACHED', 'not reached', waits);
  }
}

const isInFlight = ({ status }: Made): boolean => status === 'PENDING' || status === 'PROCESSING';
