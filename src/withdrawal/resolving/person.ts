/** What both kinds of a person's word need: reading the named withdrawal, and refusing the word. */
import type { Withdrawal } from '../../contract/withdrawal.ts';
import { PixctlError } from '../../errors.ts';
import { keyLine } from '../../flags/command-line.ts';
import type { Intent } from '../../ledger/intent.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Outcome } from '../outcome/outcome.ts';
import * as say from '../outcome/say.ts';

/** Reads a withdrawal. Null: the service has no such one. Throws for whatever else keeps it from being read. */
export async function readNamed(service: Dependencies['service'], id: string): Promise<Withdrawal | null> {
  try {
    return await service.withdrawal(id);
  } catch (cause) {
    if (cause instanceof PixctlError && cause.kind === 'notFound') return null;
    throw cause;
  }
}

/** 64: what the person says does not fit, with the reason in `why`. */
export const refuse = (intent: Intent, why: string): Outcome =>
  say.outcome('usage', 'NOT_THIS_ONE', `${why}; nothing was changed`, { intent });

export const moved = (intent: Intent): Outcome =>
  say.busy(intent, 'another process has changed this withdrawal in the meantime');

/** A word about one send says nothing of the next: of that one, nobody has looked yet. */
export const sentSince = (intent: Intent): Outcome =>
  say.outcome('later', 'SENT_SINCE', 'it was sent again while you were asked; nothing was changed', {
    intent,
    hint: `See what became of that send first: ${keyLine(['pixctl', 'withdrawal', 'status'], intent.idempotencyKey)}`,
  });
