/** A person's word before a saved destination changes: it decides where money goes. */
import { PixctlError, usageError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';

/** Throws 87 when the answer is no, 64 when there is nobody to ask and no `--yes`. */
export async function agreed(runtime: Runtime, message: string): Promise<void> {
  if (runtime.globals.yes === true) return;
  const prompter = await runtime.prompter();
  if (!prompter.canAsk)
    throw usageError(`${message} There is nobody to ask; nothing was changed.`, 'Add --yes.');
  if (await prompter.confirm({ message, default: false })) return;
  throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed; nothing was changed.');
}
