/**
 * Sends once (docs/withdrawal-promise.md). The recovery points are: PLANNED is on disk before this begins, SENDING
 * before a connection is made, the departure before a byte may leave, and the verdict before anybody is told. A kill
 * between any two of them leaves a row that the next run understands.
 */
import type { Exchange } from '../../api/exchange.ts';
import { operations } from '../../contract/operations.ts';
import type { Intent } from '../../ledger/intent.ts';
import type { SendingResult } from '../../ledger/ledger.ts';
import { beginSending } from '../../sending/begin-sending.ts';
import { createDeparture, markDeparture } from '../../sending/departure.ts';
import { recordWithRetry } from '../../sending/record-with-retry.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyOf } from '../matching/body.ts';
import { dayStart } from '../policy/policy.ts';
import { classify } from './classify.ts';
import { confirm } from './confirm.ts';
import { type RecordedVerdict, recordVerdict } from './record-verdict.ts';

export interface SendOptions {
  readonly expectedFence: number;
  readonly baseline: ReadonlySet<string>;
  /** The ids of listed withdrawals of the same order that a person says are others: kept in the history. */
  readonly allowedTwins: readonly string[];
  /**
   * The daily cap. It applies to the day that the send is stamped with, even if the policy was checked the day before.
   */
  readonly limit?: { readonly timeZone: string; readonly cents: number } | undefined;
  /** The same order at another address, as the ledger has it when this is called; null: there is none. */
  readonly findSentElsewhere: () => Promise<Intent | null>;
}

/** Either nothing was sent, or the send is over and its verdict was recorded as far as possible. */
export type Execution =
  | Exclude<SendingResult, { kind: 'sending' }>
  | RecordedVerdict
  /** Called off, because `other` was begun at another address after the check for that. */
  | { readonly kind: 'elsewhere'; readonly intent: Intent; readonly other: Intent };

/** Sends the intent. Rejects only before the send, when nothing has left this machine. */
export async function execute(
  dependencies: Dependencies,
  intent: Intent,
  { limit, findSentElsewhere, allowedTwins, ...options }: SendOptions,
): Promise<Execution> {
  const departure = createDeparture(dependencies);
  const begun = await beginSending(
    dependencies,
    intent,
    departure,
    { ...options, limit: limit && { since: dayStart(departure.at, limit.timeZone), cents: limit.cents } },
    allowedTwins.length === 0 ? {} : { allowedDuplicateOf: allowedTwins },
  );
  if (begun.kind !== 'sending') return begun;
  const calledOff = await callOff(dependencies, begun.intent, findSentElsewhere);
  if (calledOff !== null) return calledOff;
  let current = begun.intent;
  const exchange = await post(dependencies, current, () => {
    departure.check(() => {
      current = markDeparture(dependencies, current);
    });
  });
  const verdict = classify(exchange, bodyOf(current), departure.hasDeparted);
  dependencies.onPhase?.('recording');
  return recordVerdict(
    dependencies,
    current,
    await confirm(dependencies, current, verdict, options.baseline),
  );
}

/**
 * Two runs at two addresses may both have looked before either began, and no constraint keeps these apart. By now each
 * that goes on is on the disk, so that at least one of the two sees the other. Null: there is none.
 */
async function callOff(
  dependencies: Dependencies,
  intent: Intent,
  sentElsewhere: SendOptions['findSentElsewhere'],
): Promise<Execution | null> {
  const notSent = (reason: string) =>
    recordWithRetry(dependencies, intent, { state: 'NOT_SENT', reason }, 'not-sent');
  const other = await sentElsewhere().catch(async (cause: unknown) => {
    await notSent('STORAGE');
    throw cause;
  });
  if (other === null) return null;
  const left = await notSent('OTHER_ADDRESS');
  return left === null ? { kind: 'stale' } : { kind: 'elsewhere', intent: left, other };
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
    return { kind: 'lost', cause };
  }
}
