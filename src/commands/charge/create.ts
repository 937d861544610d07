/** `pixctl charge create`: asks for what is missing and checks what is given, before loading anything that sends. */
import { qualifyNothingSent } from '../../errors.ts';
import { parseKey } from '../../flags/idempotency-key.ts';
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { bodyOf, type CreateFlags, checkOptionalFlags, complete } from './request.ts';

export async function create(runtime: Runtime, given: CreateFlags): Promise<void> {
  await runtime.output(chargeView);
  const prompter = await runtime.prompter();
  if (given.amount === undefined && prompter.canAsk) await runPreflightChecks(runtime, given);
  const { flags, asked } = await complete(given, prompter);
  const body = bodyOf(flags);
  if (flags.idempotencyKey !== undefined) parseKey('--idempotency-key', flags.idempotencyKey);
  const { sendAndShow } = await import('./create-send.ts');
  const send = () => sendAndShow(runtime, { flags, body, asked });
  await (flags.idempotencyKey === undefined ? send() : qualifyNothingSent(send));
}

/**
 * Throws whatever ends the run regardless of the answers: 64, and 77 or 78 unless the key may have its charge already.
 */
async function runPreflightChecks(runtime: Runtime, given: CreateFlags): Promise<void> {
  checkOptionalFlags(given);
  if (given.idempotencyKey !== undefined) parseKey('--idempotency-key', given.idempotencyKey);
  else if (runtime.globals.dryRun !== true)
    await (await import('../../runtime/check-api-key.ts')).checkApiKey(runtime);
}
