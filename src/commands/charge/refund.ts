/** `pixctl charge refund <id>`: look first, ask, send once; run again, it finds what it did. */
import type { Charge } from '../../contract/charge.ts';
import { formatCents } from '../../contract/money.ts';
import { PixctlError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { announce, confirmSending, destinationOf } from '../../runtime/sending.ts';
import { readCharge } from './read.ts';
import { chargeView } from './view.ts';

export async function refund(runtime: Runtime, id: string, { wait = false }: { wait?: boolean }): Promise<void> {
  const output = await runtime.output();
  output.check(chargeView);
  const charge = await readCharge(runtime, id);
  if (charge.status === 'REFUNDED') {
    output.note(`${id} is already refunded. Nothing was sent.`);
    return output.show(chargeView, charge);
  }
  const what = `Refund of ${formatCents(charge.amount)}, all of ${id} (${charge.status})`;
  if (runtime.globals.dryRun === true) {
    await announce(runtime, what);
    output.note(`Dry run: POST /transparents/refund?id=${id} would do it. Nothing was sent.`);
    return output.show(chargeView, charge);
  }
  if (charge.status !== 'PAID') output.note(`${id} is ${charge.status}; the service refunds what is PAID.`);
  await announce(runtime, what);
  await confirmSending(runtime, `Refund ${formatCents(charge.amount)} to its payer, ${await destinationOf(runtime)}?`);
  const answer = await send(runtime, charge);

  // The document does not show what a refund answers with: only the charge itself tells its state.
  const known = answer.id === id && answer.status !== undefined;
  if (wait) {
    const { followTo } = await import('./follow.ts');
    return followTo(runtime, known ? (answer as Charge) : charge, { goal: 'REFUNDED' });
  }
  await output.show(chargeView, answer as Charge);
  if (known && answer.status !== 'REFUNDED') {
    output.note(`Accepted; it reads ${answer.status} for now. Follow it: pixctl charge get ${id}`);
  } else output.note(`Refunded ${formatCents(charge.amount)}.`);
}

async function send(runtime: Runtime, { id }: Charge): Promise<Partial<Charge>> {
  try {
    return await (await runtime.api()).call('refundCharge', { query: { id } });
  } catch (error) {
    if (!(error instanceof PixctlError) || error.kind !== 'unknown') throw error;
    throw new PixctlError('unknown', error.code, error.message, {
      hint: `Look before anything else: pixctl charge get ${id}. When it is still PAID, the same refund may be run again.`,
      httpStatus: error.httpStatus,
      serviceCode: error.serviceCode,
      cause: error,
    });
  }
}
