/**
 * A model of the service and of what lies between: it commits or does not at each point where an exchange
 * can break, and every withdrawal remembers whose POST made it, which no protocol gets to see.
 */
import type { Exchange, OutgoingRequest } from '../../../src/api/exchange.ts';
import type { CreateWithdrawalBody, Withdrawal } from '../../../src/contract/withdrawal.ts';
import { PixctlError } from '../../../src/errors.ts';
import type { Service } from '../../../src/withdrawal/dependencies.ts';
import type { Process, World } from './world.ts';

export interface Made extends Withdrawal {
  readonly id: string;
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
  /** The key whose POST made it; `dashboard` and `history` for what came from elsewhere, now and long ago. */
  readonly truth: string;
}

/** How one POST goes: what it does, when, and what the sender gets to see. */
interface Course {
  /** Ms after the first byte at which the service works on it; null: it never arrives. */
  readonly effectAt: number | null;
  readonly answerAt: number;
  readonly answer: 'true' | 'lost' | 'garbage' | 'truncated' | number | string;
}

const requestTimeoutMs = 30_000;

export class ServiceModel {
  readonly made: Made[] = [];
  readonly world: World;
  readonly newestFirst: boolean;
  readonly showsCreation: boolean;
  /** Runs when a byte has left for a key. */
  onDeparture: (process: Process, key: string) => Promise<void> = async () => {};
  #ids = 0;

  constructor(world: World) {
    this.world = world;
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
        const found = this.made.find((one) => one.id === id);
        if (found === undefined) throw new PixctlError('notFound', 'NOT_FOUND', 'no such withdrawal');
        return shown(found);
      },
    };
  }

  /** What the last whole list that a process read has shown it. */
  readonly shown = new WeakMap<Process, ReadonlySet<string>>();

  /** Payments of long ago that look just like an order of today. */
  remember(body: CreateWithdrawalBody, many: number): void {
    const { amount, pixKey, pixKeyType } = body;
    const created = this.showsCreation ? { createdAt: '2026-01-01T00:00:00.000Z' } : {};
    for (let at = 0; at < many; at++)
      this.made.push({
        amount,
        pixKey,
        pixKeyType,
        ...created,
        id: `old${at}`,
        status: 'COMPLETED',
        truth: 'history',
      });
  }

  /** The service's own rules: one in flight, then a new PENDING one. */
  create(body: CreateWithdrawalBody, truth: string): Made | null {
    if (this.made.some(({ status }) => status === 'PENDING' || status === 'PROCESSING')) return null;
    const { world } = this;
    const one: Made = {
      ...body,
      id: `w${++this.#ids}`,
      fee: 100,
      status: 'PENDING',
      truth,
      ...(this.showsCreation ? { createdAt: new Date(1_790_000_000_000 + world.time).toISOString() } : {}),
    };
    this.made.push(one);
    world.log(null, `service makes ${one.id} for ${truth}`);
    world.schedule(world.random.int(10, 3_000), `${one.id} is worked on`, () => {
      one.status = 'PROCESSING';
      world.schedule(world.random.int(10, 3_000), `${one.id} ends`, () => {
        one.status = world.random.chance(0.15) ? 'FAILED' : 'COMPLETED';
      });
    });
    return one;
  }

  async #send(process: Process, key: string, request: OutgoingRequest): Promise<Exchange> {
    const { world } = this;
    await world.turn(process, 'connecting', world.random.int(0, 40));
    if (world.faults && world.random.chance(0.1)) return notSent('ECONNRESET');
    try {
      request.beforeFirstByte?.();
    } catch (cause) {
      return { kind: 'not-sent', started: false, cause };
    }
    // Marked, and not yet a byte on the wire.
    await world.turn(process, 'departing');
    if (world.faults && world.random.chance(0.03)) return lost('ECONNRESET');
    await this.onDeparture(process, key);
    const course = this.#course();
    const body = JSON.parse(request.body ?? '') as CreateWithdrawalBody;
    let made: Made | null = null;
    let arrived = false;
    if (course.effectAt !== null)
      world.schedule(course.effectAt, `POST of ${key} arrives`, () => {
        made = this.create(body, key);
        arrived = true;
      });
    await world.turn(process, `waits for its answer (${course.answer})`, course.answerAt);
    // What the service itself says, it says after it has decided.
    const told = course.answer === 'true' || isTold(course.answer);
    while (told && course.effectAt !== null && !arrived) await world.turn(process, 'waits on', 5);
    return this.#answer(course, made, body);
  }

  #course(): Course {
    const { random, faults } = this.world;
    const answerAt = random.int(5, 200);
    if (!faults || random.chance(0.45)) return { effectAt: 1, answerAt, answer: 'true' };
    const answer = random.pick<Course['answer']>([
      'lost',
      'lost',
      'lost',
      'garbage',
      'truncated',
      200,
      302,
      409,
      429,
      500,
      500,
      502,
      503,
      'CONFLICT',
      'BAD_REQUEST',
      'RATE_LIMITED',
      'FOREIGN',
      'WITHOUT_ID',
    ]);
    const effect = random.pick(['before', 'never', 'late'] as const);
    if (effect === 'never') return { effectAt: null, answerAt, answer };
    if (effect === 'late' && !isTold(answer))
      return { effectAt: random.int(200, requestTimeoutMs), answerAt, answer };
    return { effectAt: 1, answerAt: answerAt + 30, answer };
  }

  #answer({ answer }: Course, made: Made | null, body: CreateWithdrawalBody): Exchange {
    if (answer === 'lost') return lost('ECONNRESET');
    if (answer === 'garbage') return reply(201, '<html>');
    if (answer === 'truncated') return reply(201, '{"data":{"id":"w1","amou');
    if (typeof answer === 'number') return reply(answer, '<html>gateway</html>');
    if (answer === 'FOREIGN')
      return reply(
        201,
        JSON.stringify({
          data: { ...body, amount: body.amount + 1, id: 'w0', status: 'PENDING' },
          error: null,
          success: true,
        }),
      );
    if (answer === 'WITHOUT_ID')
      return reply(201, JSON.stringify({ data: { ...body, status: 'PENDING' }, error: null, success: true }));
    if (answer === 'true' && made !== null)
      return reply(201, JSON.stringify({ data: shown(made), error: null, success: true }));
    const code = answer === 'true' ? 'BAD_REQUEST' : answer;
    const status = { CONFLICT: 409, BAD_REQUEST: 400, RATE_LIMITED: 429 }[code] ?? 400;
    return reply(status, JSON.stringify({ error: code, message: 'no', success: false }));
  }

  async *#list(process: Process): AsyncGenerator<readonly Withdrawal[]> {
    const size = 3;
    let last: string | null = null;
    const ids = new Set<string>();
    for (;;) {
      await this.#read(process, 'list');
      const all = this.newestFirst ? [...this.made].reverse() : this.made;
      const from: number = last === null ? 0 : all.findIndex(({ id }) => id === last) + 1;
      const page = all.slice(from, from + size);
      for (const { id } of page) ids.add(id);
      last = page.at(-1)?.id ?? null;
      if (from + size >= all.length || last === null) this.shown.set(process, ids);
      yield page.map(shown);
      if (from + size >= all.length || last === null) return;
    }
  }

  async #read(process: Process, what: string): Promise<void> {
    const { world } = this;
    await world.turn(process, what, world.random.int(1, 60));
    if (world.faults && world.random.chance(0.08))
      throw new PixctlError('later', 'NOT_REACHED', 'not reached');
  }
}

/** An answer in the service's own envelope. */
const isTold = (answer: Course['answer']): boolean => typeof answer === 'string' && /^[A-Z]/.test(answer);

const shown = ({ truth: _, ...rest }: Made): Withdrawal & { id: string } => ({ ...rest });
const lost = (code: string): Exchange => ({ kind: 'lost', started: true, cause: { code } });
const notSent = (code: string): Exchange => ({ kind: 'not-sent', started: false, cause: { code } });
const encoder = new TextEncoder();
const reply = (status: number, text: string): Exchange => ({
  kind: 'reply',
  started: true,
  reply: { status, headers: {}, body: encoder.encode(text) },
});
