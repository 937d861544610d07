/** A person's word before something on this machine is changed that decides where money goes, or that is lost. */
import { PixctlError, usageError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';

/** Throws 64 without `--yes` where there is nobody to ask (the call lacks a flag), 87 when the answer is no. */
export async function agreed(runtime: Runtime, question: string): Promise<void> {
  if (runtime.globals.yes === true) return;
  const prompter = await runtime.prompter();
  if (!prompter.canAsk) throw missingYes('changed', `The question is: ${question}`);
  if (await prompter.confirm({ message: question, default: false })) return;
  throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed. Nothing was changed.');
}

/** The usage error (64) of a run that would ask, and has nobody to. */
export const missingYes = (not: 'changed' | 'sent', hint?: string): PixctlError =>
  usageError(`Missing: --yes. There is nobody to ask, so nothing was ${not}.`, hint);
