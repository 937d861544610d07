/** `pixctl reconcile`: reads the orders, reads the charges, tells what does not agree. */
import type { Charge } from '../../contract/charge.ts';
import { momentOf } from '../../contract/moment.ts';
import { listLimit } from '../../contract/pagination.ts';
import { PixctlError, usageError } from '../../errors.ts';
import { periodOf, type Standpoint } from '../../flags/moment.ts';
import { readInputFile } from '../../runtime/input-file.ts';
import { standpointOf } from '../../runtime/standpoint.ts';
import type { Runtime } from '../../runtime.ts';
import { counted } from '../../terminal/counted.ts';
import { startProgress } from '../../terminal/progress.ts';
import { compare, findings, type Result, unclaimed } from './compare.ts';
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
  const isInWindow = windowOf(flags, await standpointOf(runtime, flags));
  const lines = await readOrders(await readInputFile(runtime, flags.orders));
  const { byId, byTxid, strangers } = await readCharges(
    runtime,
    lines,
    flags.unclaimed === true ? isInWindow : null,
  );
  const results = [...compare(lines, { byId, byTxid }), ...strangers.map(unclaimed)];
  const wrong = results.filter(({ finding }) => finding !== 'OK');
  await output.each(resultView, flags.all === true ? results : wrong);
  output.note(summaryOf(results));
  if (wrong.length === 0) return;
  throw new PixctlError('endedBadly', 'DISCREPANCIES', `${wrong.length} of ${results.length} do not agree.`);
}

/** Whether a charge lies within --since and --until. */
function windowOf(
  { since, until, unclaimed: wanted }: ReconcileFlags,
  standpoint: Standpoint,
): (charge: Charge) => boolean {
  if (wanted !== true && (since !== undefined || until !== undefined)) {
    throw usageError(
      '--since and --until need --unclaimed. Nothing was sent.',
      'Without --unclaimed, only the charges that the orders name are read.',
    );
  }
  const period = periodOf({ since, until }, standpoint);
  const from = period.since ?? Number.NEGATIVE_INFINITY;
  const to = period.until ?? Number.POSITIVE_INFINITY;
  return ({ createdAt }) => {
    const at = momentOf(createdAt);
    // A time that cannot be read is shown rather than hidden.
    return Number.isNaN(at) || (at >= from && at <= to);
  };
}

/**
 * The charges that the orders name, and with `isWanted` the paid ones that they do not. Stops reading when
 * all that is named has been seen; nothing depends on the order of the list.
 */
async function readCharges(
  runtime: Runtime,
  lines: readonly OrderLine[],
  isWanted: ((charge: Charge) => boolean) | null,
) {
  const ids = new Set(lines.flatMap(({ chargeId }) => chargeId ?? []));
  const txids = new Set(
    lines.flatMap(({ chargeId, txid }) => (chargeId === null && txid !== null ? [txid] : [])),
  );
  const byId = new Map<string, Charge>();
  const byTxid = new Map<string, Charge>();
  /** By id: new charges push what was listed onto the next page. */
  const strangers = new Map<string, Charge>();
  const { io, clock } = runtime;
  const { options } = await runtime.output();
  const progress = startProgress(io, clock, { quiet: options.quiet, text: 'Reading charges ...' });
  let read = 0;
  let isUntold = false;
  try {
    const api = await runtime.api();
    for await (const { items } of api.pages('listCharges', undefined, { limit: listLimit.max })) {
      for (const charge of items) {
        const slim = { ...charge, imageBase64: '', brCode: '' };
        const txid = charge.txid ?? '';
        isUntold ||= txid === '';
        const isNamed = ids.has(charge.id) || txids.has(txid);
        if (ids.has(charge.id)) byId.set(charge.id, slim);
        if (txids.has(txid)) byTxid.set(txid, slim);
        if (!isNamed && charge.status === 'PAID' && isWanted?.(charge)) strangers.set(charge.id, slim);
      }
      read += items.length;
      progress.count(read, null, 'charges read');
      if (isWanted === null && byId.size === ids.size && byTxid.size === txids.size) break;
    }
  } finally {
    progress.stop();
  }
  // Missing is what the service lacks, not what it does not tell.
  if (isUntold && byTxid.size < txids.size) throw withoutTxid();
  return { byId, byTxid, strangers: [...strangers.values()] };
}

/** `40 orders: 37 OK, 2 UNPAID, 1 MISSING`. */
function summaryOf(results: readonly Result[]): string {
  const counts = findings.flatMap((finding) => {
    const count = results.filter((result) => result.finding === finding).length;
    return count === 0 ? [] : [`${count} ${finding}`];
  });
  const orders = results.filter(({ orderId }) => orderId !== null).length;
  return `${counted(orders, 'order')}: ${counts.join(', ')}.`;
}

const withoutTxid = () =>
  new PixctlError(
    'unexpected',
    'NO_TXID',
    'The service lists charges without a txid, so an order that names one cannot be looked up by it.',
    { hint: 'Give the orders a charge_id. What the service lists: pixctl charge list -o json' },
  );
