/** `pixctl reconcile`: reads the orders, reads the charges, reports what does not agree. */
import type { Charge } from '../../contract/charge.ts';
import { parseIsoTime } from '../../contract/iso-time.ts';
import { listLimit } from '../../contract/pagination.ts';
import { PixctlError, usageError } from '../../errors.ts';
import { inputLimits } from '../../flags/input.ts';
import { parsePeriod, type TimeReference } from '../../flags/moment.ts';
import { untilShown } from '../../runtime/completed-action.ts';
import { readInputFile } from '../../runtime/input-file.ts';
import { timeReferenceOf } from '../../runtime/time-reference.ts';
import type { Runtime } from '../../runtime.ts';
import { formatCount } from '../../terminal/format-count.ts';
import {
  compare,
  type Finding,
  findings,
  type KeptCharge,
  keptChargeOf,
  type Result,
  unclaimedResult,
} from './compare.ts';
import { type OrderLine, readOrders } from './orders-file.ts';
import { resultView } from './view.ts';

export interface ReconcileFlags {
  readonly orders: string;
  readonly all?: boolean;
  readonly unclaimed?: boolean;
  readonly since?: string;
  readonly until?: string;
}

export async function reconcile(runtime: Runtime, flags: ReconcileFlags): Promise<void> {
  const output = await runtime.output(resultView);
  const isInWindow = windowOf(flags, await timeReferenceOf(runtime, flags));
  const lines = await readOrders(await readInputFile(runtime, flags.orders, { atMost: inputLimits.orders }));
  const { byId, byTxid, strangers } = await readCharges(
    runtime,
    lines,
    flags.unclaimed === true ? isInWindow : null,
  );
  const counts = new Map<Finding, number>();
  const shown: Result[] = [];
  const take = (result: Result) => {
    counts.set(result.finding, (counts.get(result.finding) ?? 0) + 1);
    if (flags.all === true || result.finding !== 'OK') shown.push(result);
  };
  for (const result of compare(lines, { byId, byTxid })) take(result);
  for (const stranger of strangers) take(unclaimedResult(stranger));
  const wrong = discrepanciesIn(counts);
  const error = wrong === null ? null : new PixctlError('endedBadly', 'DISCREPANCIES', wrong);
  await untilShown(output, output.each(resultView, shown), error);
  output.note(summaryOf(counts));
  if (error !== null) throw error;
}

/** Says how many orders do not agree, and how many paid charges have no order; null if there are none of either. */
function discrepanciesIn(counts: ReadonlyMap<Finding, number>): string | null {
  const orders = ordersIn(counts);
  const wrong = orders - (counts.get('OK') ?? 0);
  const strangers = counts.get('UNCLAIMED') ?? 0;
  const parts = [
    ...(wrong > 0
      ? [`${wrong} of ${formatCount(orders, 'order')} ${wrong === 1 ? 'does' : 'do'} not agree`]
      : []),
    ...(strangers > 0
      ? [`${formatCount(strangers, 'paid charge')} ${strangers === 1 ? 'has' : 'have'} no order`]
      : []),
  ];
  return parts.length === 0 ? null : `${parts.join(', and ')}.`;
}

/** How many orders there are: what is UNCLAIMED is a charge. */
const ordersIn = (counts: ReadonlyMap<Finding, number>): number =>
  [...counts].reduce((sum, [finding, count]) => (finding === 'UNCLAIMED' ? sum : sum + count), 0);

/** Returns a test of whether a charge lies within --since and --until. */
function windowOf(
  { since, until, unclaimed: wanted }: ReconcileFlags,
  reference: TimeReference,
): (charge: Charge) => boolean {
  if (wanted !== true && (since !== undefined || until !== undefined)) {
    throw usageError(
      '--since and --until need --unclaimed. Nothing was sent.',
      'Without --unclaimed, only the charges that the orders name are read.',
    );
  }
  const period = parsePeriod({ since, until }, reference);
  const from = period.since ?? Number.NEGATIVE_INFINITY;
  const to = period.until ?? Number.POSITIVE_INFINITY;
  return ({ createdAt }) => {
    const at = parseIsoTime(createdAt);
    // A charge with an unreadable time is shown rather than hidden.
    return Number.isNaN(at) || (at >= from && at <= to);
  };
}

/**
 * Reads the charges that the orders name and, with `isWanted`, the paid ones that they do not. Stops once everything
 * named has been seen. Nothing depends on the order of the list.
 */
async function readCharges(
  runtime: Runtime,
  lines: readonly OrderLine[],
  isWanted: ((charge: Charge) => boolean) | null,
) {
  const found = createCollection(lines, isWanted);
  const progress = (await runtime.output()).progress('Reading charges ...');
  let read = 0;
  try {
    const api = await runtime.api();
    for await (const { items } of api.pages('listCharges', undefined, { limit: listLimit.max })) {
      for (const charge of items) found.take(charge);
      read += items.length;
      progress.count(read, null, 'charges read');
      if (found.isComplete()) break;
    }
  } finally {
    progress.stop();
  }
  return found.result();
}

/** Keeps of the charges that it is handed what the orders name and, with `isWanted`, the paid ones that they do not. */
function createCollection(lines: readonly OrderLine[], isWanted: ((charge: Charge) => boolean) | null) {
  const ids = new Set(lines.flatMap(({ chargeId }) => chargeId ?? []));
  const txids = new Set(
    lines.flatMap(({ chargeId, txid }) => (chargeId === null && txid !== null ? [txid] : [])),
  );
  const byId = new Map<string, KeptCharge>();
  const byTxid = new Map<string, KeptCharge>();
  /** By id, because new charges push listed ones onto the next page. */
  const strangers = new Map<string, KeptCharge>();
  let isUntold = false;
  return {
    take(charge: Charge) {
      const slim = keptChargeOf(charge);
      const txid = charge.txid ?? '';
      isUntold ||= txid === '';
      const isNamed = ids.has(charge.id) || txids.has(txid);
      if (ids.has(charge.id)) byId.set(charge.id, slim);
      if (txids.has(txid)) byTxid.set(txid, slim);
      if (!isNamed && charge.status === 'PAID' && isWanted?.(charge)) strangers.set(charge.id, slim);
    },
    /** Whether no further charge could matter. */
    isComplete: () => isWanted === null && byId.size === ids.size && byTxid.size === txids.size,
    result() {
      // Missing means that the service lacks it, not that it does not show it.
      if (isUntold && byTxid.size < txids.size) throw withoutTxid();
      return { byId, byTxid, strangers: strangers.values() };
    },
  };
}

/** Returns `40 orders: 37 OK, 2 UNPAID, 1 MISSING`. */
function summaryOf(counts: ReadonlyMap<Finding, number>): string {
  const parts = findings.flatMap((finding) =>
    counts.has(finding) ? [`${counts.get(finding)} ${finding}`] : [],
  );
  return `${formatCount(ordersIn(counts), 'order')}: ${parts.join(', ')}.`;
}

const withoutTxid = () =>
  new PixctlError(
    'unexpected',
    'NO_TXID',
    'The service lists charges without a txid, so an order that names one cannot be looked up by it.',
    { hint: 'Add a charge_id to the orders. What the service lists: pixctl charge list -o json' },
  );
