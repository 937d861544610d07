/** A person's consent to a change on this machine that decides where money goes, or to a removal for good. */
import { PixctlError, usageError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { withLocalTimes } from '../terminal/local-times.ts';

/**
 * Asks, unless `--yes` was given. Throws 64 if there is nobody to ask (the call lacks a flag), 87 if the answer is no.
 */
export async function confirmChange(runtime: Runtime, question: string): Promise<void> {
  if (runtime.globals.yes === true) return;
  const prompter = await runtime.prompter();
  if (!prompter.canAsk) throw missingYesError('changed', `The question: ${question}`);
  if (await prompter.confirm({ message: question, default: false })) return;
  throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed. Nothing was changed.');
}

/** A person's word about one order of the ledger, which cannot be taken back. */
export interface KeyConfirmation {
  /** Which order it is and its state, without the full stop. */
  readonly order: string;
  /** What this word means, and what happens if it is wrong, in sentences. */
  readonly consequence: string;
  readonly idempotencyKey: string;
}

/** Like `confirmChange`, but the person types the order's key, not a y: a wrong word may pay twice, or charge twice. */
export async function confirmByTypingKey(runtime: Runtime, word: () => KeyConfirmation): Promise<void> {
  if (runtime.globals.yes === true) return;
  const { order, consequence, idempotencyKey } = word();
  const prompter = await runtime.prompter();
  if (!prompter.canAsk) throw missingYesError('changed', `${order}. Add --yes once you are sure.`);
  const { timeZone } = (await runtime.output()).options;
  const message = withLocalTimes(`${order}. ${consequence} Type the idempotency key to confirm:`, timeZone);
  if ((await prompter.input({ message })).trim() === idempotencyKey) return;
  throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed. Nothing was changed.');
}

/** The usage error (64) of a run that has to ask and has nobody to ask. */
export const missingYesError = (not: 'changed' | 'sent', hint?: string): PixctlError =>
  usageError(`Missing: --yes. There is nobody to ask, so nothing was ${not}.`, hint);
