/** `pixctl charge create`: ask, and judge what is given, before anything that sends is loaded. */
import { ofThisRun } from '../../errors.ts';
import { parseKey } from '../../flags/idempotency-key.ts';
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { bodyOf, type CreateFlags, complete } from './request.ts';

export async function create(runtime: Runtime, given: CreateFlags): Promise<void> {
  await runtime.output(chargeView);
  const { flags, asked } = await complete(given, await runtime.prompter());
  const body = bodyOf(flags);
  if (flags.idempotencyKey !== undefined) parseKey('--idempotency-key', flags.idempotencyKey);
  const { sendAndShow } = await import('./create-send.ts');
  const send = () => sendAndShow(runtime, { flags, body, asked });
  await (flags.idempotencyKey === undefined ? send() : ofThisRun(send));
}
