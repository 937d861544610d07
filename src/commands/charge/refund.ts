/**
 * `pixctl charge refund <id>`: looks first, asks, sends once. Once the charge reads REFUNDED, a rerun sends nothing.
 */
import { type Charge, createdCharge, type Refund } from '../../contract/charge.ts';
import { isObject } from '../../contract/json-object.ts';
import { formatCents } from '../../contract/money.ts';
import { messageOf, PixctlError, rewordError } from '../../errors.ts';
import { announce, confirmSending, rethrowUnsent, runToCompletion } from '../../runtime/sending.ts';
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { getChargeLine, readCharge } from './read.ts';
import { showWithoutCode } from './show-code.ts';

/**
 * Resolves if the charge is REFUNDED already, or the refund was accepted; with `wait`, once it reads REFUNDED. A lost
 * answer is 81.
 */
export async function refund(
  runtime: Runtime,
  id: string,
  { wait = false }: { wait?: boolean },
): Promise<void> {
  const output = await runtime.output(chargeView);
  const charge = await lookFirst(runtime, id);
  if (charge.status === 'REFUNDED') {
    output.note(`${id} is already refunded. Nothing was sent.`);
    return showWithoutCode(runtime, charge);
  }
  const what = `Full refund of ${formatCents(charge.amount)} for ${id} (${charge.status})`;
  if (runtime.globals.dryRun === true) {
    await announce(runtime, what);
    output.note(`Dry run: POST /transparents/refund?id=${id} would do it. Nothing was sent.`);
    return showWithoutCode(runtime, charge);
  }
  if (charge.status !== 'PAID')
    output.note(`${id} is ${charge.status}; the service refunds only PAID charges.`);
  await announce(runtime, what);
  await confirmSending(runtime, `Refund ${formatCents(charge.amount)} to its payer?`, { irrevocable: true });
  const answer = await runToCompletion(
    runtime,
    () => send(runtime, charge),
    () => ({
      what: `The refund of ${formatCents(charge.amount)} (${id}) was made.`,
      hint: `Do not refund it again: ${getChargeLine(id)} shows it.`,
    }),
  );

  if (wait) {
    const { followTo } = await import('./follow.ts');
    const begun = (await afterwards(runtime, charge, answer)) ?? charge;
    return followTo(runtime, begun, { goal: 'REFUNDED', changedByThisRun: true });
  }
  // Machines get the answer as it came if it is a record. People get the charge, which the answer may not be.
  if (output.options.format !== 'table' && isObject(answer)) return output.show(chargeView, answer as Charge);
  const now = await afterwards(runtime, charge, answer);
  await showWithoutCode(runtime, now ?? charge);
  if (now === null) return;
  output.note(
    now.status === 'REFUNDED'
      ? `Refunded ${formatCents(charge.amount)}.`
      : `Accepted. The charge still reads ${now.status}; until it reads REFUNDED, the same command sends a second refund. Follow it: ${getChargeLine(id)}`,
  );
}

/** Reads the charge. Whoever meets an error here asks whether the refund was sent, so each says that it was not. */
const lookFirst = (runtime: Runtime, id: string): Promise<Charge> =>
  readCharge(runtime, id).catch(rethrowUnsent);

/**
 * Returns the charge as it is now, because the document does not show what a refund answers with. Null, with a warning,
 * if it cannot be read.
 */
async function afterwards(runtime: Runtime, before: Charge, answer: Refund): Promise<Charge | null> {
  const whole = createdCharge().safeParse(answer);
  if (whole.success && whole.data.id === before.id) return whole.data;
  try {
    return await readCharge(runtime, before.id);
  } catch (error) {
    (await runtime.output()).warn(
      `The refund was accepted, but the charge could not be read after it: ${messageOf(error)} It is shown as it was before. Check this first: ${getChargeLine(before.id)}`,
    );
    return null;
  }
}

async function send(runtime: Runtime, { id }: Charge): Promise<Refund> {
  try {
    return await (await runtime.api()).call('refundCharge', { query: { id } });
  } catch (error) {
    if (!(error instanceof PixctlError)) throw error;
    if (error.kind !== 'unknown')
      return (await import('./refund-refused.ts')).confirmRefusal(runtime, id, error);
    throw rewordError(error, {
      hint: `Check this first: ${getChargeLine(id)}; while the charge reads PAID, the same command sends a second refund: give the first one time to show.`,
    });
  }
}
