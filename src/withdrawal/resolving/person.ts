/** What both kinds of a person's word need: reading the named withdrawal, and refusing the word. */
import type { Withdrawal } from '../../contract/withdrawal.ts';
import { PixctlError } from '../../errors.ts';
import { commandLineWithKey } from '../../flags/command-line.ts';
import type { Intent } from '../../ledger/intent.ts';
import type { Dependencies } from '../dependencies.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import type { Outcome } from '../outcome/outcome.ts';

/**
 * Reads a withdrawal. Null: the service has no such one. Throws for whatever else keeps it from being read, and if
 * neither that answer nor the list shows its amount: nobody could tell then whether it is the one that a person means.
 */
export async function findWithdrawal(
  service: Dependencies['service'],
  id: string,
): Promise<Withdrawal | null> {
  try {
    const { amount, ...read } = await service.withdrawal(id);
    if (amount !== undefined) return { ...read, amount };
    const listed = (read.id ?? id) === id ? await findListed(service, id) : undefined;
    if (listed === undefined) throw withoutAmount(id);
    return { ...listed, status: read.status };
  } catch (cause) {
    if (cause instanceof PixctlError && cause.kind === 'notFound') return null;
    throw cause;
  }
}

async function findListed(service: Dependencies['service'], id: string): Promise<Withdrawal | undefined> {
  for await (const page of service.withdrawals()) {
    const listed = page.find((one) => one.id === id);
    if (listed !== undefined) return listed;
  }
  return undefined;
}

const withoutAmount = (id: string): PixctlError =>
  new PixctlError(
    'unexpected',
    'NO_AMOUNT',
    `the service shows no amount of ${id}, so nobody can tell what it paid; nothing was changed`,
    { isPermanent: true },
  );

/** 64: what the person says does not fit, with the reason in `why`. */
export const refuseVerdict = (intent: Intent, why: string): Outcome =>
  outcomes.createOutcome('usage', 'NOT_THIS_ONE', `${why}; nothing was changed`, { intent });

export const changedMeanwhile = (intent: Intent): Outcome =>
  outcomes.busy(intent, 'another process has changed this withdrawal in the meantime');

/** A word about one send says nothing of the next: of that one, nobody has looked yet. */
export const sentAgainOutcome = (intent: Intent): Outcome =>
  outcomes.createOutcome(
    'later',
    'SENT_SINCE',
    'it was sent again while you were asked; nothing was changed',
    {
      intent,
      hint: `See what became of that send first: ${commandLineWithKey(['pixctl', 'withdrawal', 'status'], intent.idempotencyKey)}`,
    },
  );
