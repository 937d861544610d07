/**
 * Compares a refused refund with the charge: a proxy may have sent it twice, so that the refusal belongs to the second
 * copy of a refund that was made.
 */
import { mayHaveTakenEffect, RefusedError } from '../../api/refusal.ts';
import type { Charge } from '../../contract/charge.ts';
import { PixctlError, rewordError } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import type { Runtime } from '../../runtime.ts';
import { getChargeLine, readCharge } from './read.ts';

/**
 * Checks the charge after a refused refund. Returns it if it reads REFUNDED, because then what was asked for is done,
 * whoever did it. Throws the refusal if the charge confirms that nothing moved, or cannot be read for the same reason
 * (401, 429). Throws 81 if it cannot be read for another reason, or reads PAID after a refusal that proves nothing.
 */
export async function confirmRefusal(runtime: Runtime, id: string, refusal: PixctlError): Promise<Charge> {
  if (!(refusal instanceof RefusedError)) throw refusal;
  const { kind, code, why, hint, field, httpStatus, serviceCode } = refusal;
  const details = { hint, field, httpStatus, serviceCode };
  const look = getChargeLine(id);
  const unconfirmed = (message: string, cause?: unknown) =>
    new PixctlError('unknown', 'REFUSAL_UNCONFIRMED', message, {
      ...details,
      hint: `Check this first: ${look}`,
      cause,
    });
  let charge: Charge;
  try {
    // A run that is told to stop here would leave a refund that was refused as one of unknown outcome.
    charge = await readCharge(runtime, id, { uninterrupted: true });
  } catch (cause) {
    // If the key is no longer accepted, or asks too often, that is also why the refund was refused.
    const isSame =
      cause instanceof PixctlError && cause.httpStatus === httpStatus && !mayHaveTakenEffect(refusal);
    if (isSame && (httpStatus === 401 || httpStatus === 429))
      throw new PixctlError(kind, code, `${why}. The charge could not be read either.`, details);
    throw unconfirmed(
      `${why}. The charge could not be read after that, so it is not known whether ${id} is refunded.`,
      cause,
    );
  }
  // A refund that was made may take time to show.
  if (charge.status === 'PAID' && mayHaveTakenEffect(refusal))
    throw unconfirmed(
      `${why}. The charge still reads PAID, but a refund may take time to show: it is not known whether ${id} is refunded.`,
    );
  if (charge.status === 'PAID' && kind === 'refused')
    throw rewordError(refusal, {
      hint: `The charge reads PAID. If a refund was sent before, it may be under way and show later: ${look}`,
    });
  if (charge.status === 'PENDING' && hint === undefined)
    throw rewordError(refusal, { hint: `Once it is paid: ${commandLine(['pixctl', 'charge', 'wait', id])}` });
  if (charge.status !== 'REFUNDED') throw refusal;
  (await runtime.output()).warn(
    `${why}. The service refused this request (${httpStatus}), but ${id} reads REFUNDED now: the money was given back, by this request or by another one.`,
  );
  return charge;
}
