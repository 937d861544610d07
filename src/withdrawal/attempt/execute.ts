/**
 * Sends once (docs/withdrawal-promise.md). The recovery points are: PLANNED is on disk before this begins, SENDING
 * before a connection is made, the departure before a byte may leave, and the verdict before anybody is told. A kill
 * between any two of them leaves a row that the next run understands.
 */
import type { Exchange } from '../../api/exchange.ts';
import { operations } from '../../contract/operations.ts';
import type { Intent } from '../../ledger/intent.ts';
import type { SendingResult } from '../../ledger/ledger.ts';
import { begin } from '../../sending/begin.ts';
import { departureFrom, markDeparture } from '../../sending/departure.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyOf } from '../matching/body.ts';
import { dayStart } from '../policy/policy.ts';
import { classify } from './classify.ts';
import { confirm } from './confirm.ts';
import { type Recorded, recordVerdict } from './verdict.ts';

export interface SendOptions {
  readonly expectedFence: number;
  readonly baseline: ReadonlySet<string>;
  /**
   * The daily cap. It applies to the day that the send is stamped with, even if the policy was checked the day before.
   */
  readonly limit?: { readonly timeZone: string; readonly cents: number } | undefined;
}

/** Either nothing was begun, or the send is over and its verdict was recorded as far as possible. */
export type Execution = Exclude<SendingResult, { kind: 'sending' }> | Recorded;

/** Sends the intent. Rejects only before the send, when nothing has left this machine. */
export async function execute(
  dependencies: Dependencies,
  intent: Intent,
  { limit, ...options }: SendOptions,
): Promise<Execution> {
  const departure = departureFrom(dependencies);
  const begun = await begin(dependencies, intent, departure, {
    ...options,
    limit: limit && { since: dayStart(departure.at, limit.timeZone), cents: limit.cents },
  });
  if (begun.kind !== 'sending') return begun;
  let current = begun.intent;
  const exchange = await post(dependencies, current, () => {
    departure.check(() => {
      current = markDeparture(dependencies, current);
    });
  });
  const verdict = classify(exchange, bodyOf(current), departure.left);
  dependencies.onPhase?.('recording');
  return recordVerdict(
    dependencies,
    current,
    await confirm(dependencies, current, verdict, options.baseline),
  );
}

async function post(
  { service, requestTimeoutMs, onPhase }: Dependencies,
  intent: Intent,
  beforeFirstByte: () => void,
): Promise<Exchange> {
  onPhase?.('sending');
  try {
    return await service.send({
      method: operations.createWithdrawal.method,
      path: operations.createWithdrawal.path,
      body: intent.request,
      timeoutMs: requestTimeoutMs,
      beforeFirstByte,
    });
  } catch (cause) {
    // `send` promises never to reject. If it does, nobody knows what left.
    return { kind: 'lost', started: true, cause };
  }
}
