/**
 * A person's consent before something on this machine is changed that decides where money goes, or is removed for good.
 */
import { PixctlError, usageError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';

/** Without `--yes`: throws 64 if there is nobody to ask (the call lacks a flag), 87 if the answer is no. */
export async function agreed(runtime: Runtime, question: string): Promise<void> {
  if (runtime.globals.yes === true) return;
  const prompter = await runtime.prompter();
  if (!prompter.canAsk) throw missingYes('changed', `The question: ${question}`);
  if (await prompter.confirm({ message: question, default: false })) return;
  throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed. Nothing was changed.');
}

/** A word that cannot be taken back about one order of the ledger. */
export interface Word {
  /** Which order it is and what its state is; without the full stop. */
  readonly order: string;
  /** What saying so means, and what happens if it is wrong; in sentences. */
  readonly consequence: string;
  readonly idempotencyKey: string;
}

/** As `agreed`, but the order's key is typed, not a y: a wrong word may pay twice, or charge twice. */
export async function agreedByKey(runtime: Runtime, word: () => Word): Promise<void> {
  if (runtime.globals.yes === true) return;
  const { order, consequence, idempotencyKey } = word();
  const prompter = await runtime.prompter();
  if (!prompter.canAsk) throw missingYes('changed', `${order}. Add --yes once you are sure.`);
  const message = `${order}. ${consequence} Type the idempotency key to confirm:`;
  if ((await prompter.input({ message })).trim() === idempotencyKey) return;
  throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed; nothing was changed.');
}

/** The usage error (64) of a run that would ask, and has nobody to. */
export const missingYes = (not: 'changed' | 'sent', hint?: string): PixctlError =>
  usageError(`Missing: --yes. There is nobody to ask, so nothing was ${not}.`, hint);
