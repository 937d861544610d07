/** What is told of a charge that the ledger keeps under an idempotency key. */

import { isoTime } from '../../clock.ts';
import type { Charge } from '../../contract/charge.ts';
import { formatCents } from '../../contract/money.ts';
import { PixctlError } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import type { Intent } from '../../ledger/intent.ts';
import type { Change } from '../../ledger/ledger.ts';

export const reused = (intent: Intent): PixctlError =>
  new PixctlError(
    'keyReused',
    'KEY_REUSED',
    `The idempotency key ${intent.idempotencyKey} stands for another ${intent.kind}, of ${formatCents(intent.amount)}. Nothing was sent.`,
    { hint: 'Use a key of its own for each charge.' },
  );

export const busy = (intent: Intent): PixctlError =>
  new PixctlError(
    'later',
    'BUSY',
    `The charge with the key ${intent.idempotencyKey} is being created by another run of pixctl. Nothing was sent.`,
    { hint: 'Run the same command again.' },
  );

/** The outcome cannot be found out here: the list shows no key, and two charges may be alike. */
export function unknown(intent: Intent, cause?: PixctlError): PixctlError {
  const amount = String(intent.amount);
  const since = isoTime((intent.sentAt ?? intent.createdAt) - 60_000);
  const look = ['charge', 'list', '--since', since, '--min-amount', amount, '--max-amount', amount];
  const what = `The charge with the key ${intent.idempotencyKey} was sent, and it is not known whether it exists`;
  return new PixctlError('unknown', 'OUTCOME_UNKNOWN', `${what}. It will not be sent again.`, {
    hint: `Look for it: ${commandLine(['pixctl', ...look])}. If it is not there, create it with another key.`,
    httpStatus: cause?.httpStatus,
    serviceCode: cause?.serviceCode,
    cause,
  });
}

export const unrecorded = (intent: Intent, charge: Charge): PixctlError =>
  new PixctlError(
    'unknown',
    'NOT_RECORDED',
    `${charge.id} was created, but the ledger could not be told: the key ${intent.idempotencyKey} does not lead to it.`,
    { hint: `pixctl charge get ${charge.id}` },
  );

/** For a log: enough to settle by hand what the ledger could not be told. */
export const lastWords = (intent: Intent, change: Change): string =>
  `the ledger could not be told; keep this line: ${JSON.stringify({
    scope: intent.scope,
    idempotencyKey: intent.idempotencyKey,
    state: change.state,
    chargeId: change.resourceId ?? null,
    reason: change.reason ?? null,
  })}`;
