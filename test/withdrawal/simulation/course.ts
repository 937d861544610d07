/** How one POST goes: what the service does, when, and what the sender gets to see. */
import type { Exchange } from '../../../src/api/exchange.ts';
import type { CreateWithdrawalBody, Withdrawal } from '../../../src/contract/withdrawal.ts';
import type { Ways } from './ways.ts';
import type { World } from './world.ts';

export interface Course {
  /** Ms after the first byte at which the service works on it; null: it never arrives. */
  readonly effectAt: number | null;
  readonly answerAt: number;
  readonly answer: 'true' | 'lost' | 'garbage' | 'truncated' | number | string;
  /** The answer is that to another copy of the request, which the service had refused before. */
  readonly copyIsLate: boolean;
}

const requestTimeoutMs = 30_000;

export function courseIn({ random, faults }: World, { lateCopyMs, leavesOut }: Ways): Course {
  const answerAt = random.int(5, 200);
  if (!faults || random.chance(0.45)) return { effectAt: 1, answerAt, answer: 'true', copyIsLate: false };
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
  // A copy that is refused while the other one ends: no list that leaves out what has ended can speak against the
  // refusal (docs/withdrawal-promise.md, "What nobody can promise").
  const isBeyond = leavesOut === 'ended' && isRefusal(answer);
  if (effect === 'never' || isBeyond) return { effectAt: null, answerAt, answer, copyIsLate: false };
  if (effect === 'late' && !isTold(answer))
    return { effectAt: random.int(200, requestTimeoutMs), answerAt, answer, copyIsLate: false };
  if (lateCopyMs > 0 && isRefusal(answer))
    return { effectAt: answerAt + random.int(0, lateCopyMs), answerAt, answer, copyIsLate: true };
  return { effectAt: 1, answerAt: answerAt + 30, answer, copyIsLate: false };
}

/** An answer in the service's own envelope. */
export const isTold = (answer: Course['answer']): boolean =>
  typeof answer === 'string' && /^[A-Z]/.test(answer);

export const isRefusal = (answer: Course['answer']): boolean =>
  answer === 'CONFLICT' || answer === 'BAD_REQUEST' || answer === 'RATE_LIMITED';

/** `written`: the record of what it has made; null where it refused. */
export function answerOf(
  { answer }: Course,
  written: Withdrawal | null,
  body: CreateWithdrawalBody,
  { busyCode, createdStatus, numericIds }: Ways,
): Exchange {
  if (answer === 'lost') return lost('ECONNRESET');
  if (answer === 'garbage') return reply(201, '<html>');
  if (answer === 'truncated') return reply(201, '{"data":{"id":"w1","amou');
  if (typeof answer === 'number') return reply(answer, '<html>gateway</html>');
  if (answer === 'FOREIGN')
    return success(201, { ...body, amount: body.amount + 1, id: 'w0', status: 'PENDING' });
  if (answer === 'WITHOUT_ID') return success(201, { ...body, status: 'PENDING' });
  if (answer === 'true' && written !== null)
    return success(createdStatus, numericIds ? { ...written, id: Number(written.id) } : written);
  const code = answer === 'true' ? busyCode : answer;
  const status = { CONFLICT: 409, BAD_REQUEST: 400, RATE_LIMITED: 429, FORBIDDEN: 403 }[code] ?? 400;
  return reply(status, JSON.stringify({ error: code, message: 'no', success: false }));
}

export const lost = (code: string): Exchange => ({ kind: 'lost', cause: { code } });
export const notSent = (code: string): Exchange => ({ kind: 'not-sent', cause: { code } });

const success = (status: number, data: unknown): Exchange =>
  reply(status, JSON.stringify({ data, error: null, success: true }));

const encoder = new TextEncoder();
const reply = (status: number, text: string): Exchange => ({
  kind: 'reply',
  reply: { status, headers: {}, body: encoder.encode(text) },
});
