/** `pixctl charge create`: asks for what is missing and checks what is given, before loading anything that sends. */
import { ofThisRun } from '../../errors.ts';
import { parseKey } from '../../flags/idempotency-key.ts';
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { bodyOf, type CreateFlags, checkGiven, complete } from './request.ts';

export async function create(runtime: Runtime, given: CreateFlags): Promise<void> {
  await runtime.output(chargeView);
  const prompter = await runtime.prompter();
  if (given.amount === undefined && prompter.canAsk) await refuseBeforeAsking(runtime, given);
  const { flags, asked } = await complete(given, prompter);
  const body = bodyOf(flags);
  if (flags.idempotencyKey !== undefined) parseKey('--idempotency-key', flags.idempotencyKey);
  const { sendAndShow } = await import('./create-send.ts');
  const send = () => sendAndShow(runtime, { flags, body, asked });
  await (flags.idempotencyKey === undefined ? send() : ofThisRun(send));
}

/**
 * Throws whatever ends the run regardless of the answers: 64, and 77 or 78 unless the key may have its charge already.
 */
async function refuseBeforeAsking(runtime: Runtime, given: CreateFlags): Promise<void> {
  checkGiven(given);
  if (given.idempotencyKey !== undefined) parseKey('--idempotency-key', given.idempotencyKey);
  else if (runtime.globals.dryRun !== true)
    await (await import('../../runtime/check-api-key.ts')).checkApiKey(runtime);
}
