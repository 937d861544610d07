/** `pixctl withdraw`: the order is complete before anything that sends, or the ledger, is loaded. */
import { randomUUID } from 'node:crypto';
import { parseKey } from '../../../flags/idempotency-key.ts';
import { parseKeyType } from '../../../flags/key-type.ts';
import type { Runtime } from '../../../runtime.ts';
import { isSaved, readDestinations } from '../../../withdrawal/policy/destinations.ts';
import { readPolicy } from '../../../withdrawal/policy/settings.ts';
import { warnOfOtherKey } from '../other-key.ts';
import { receiptView } from '../receipt.ts';
import { askFor, describeOrder } from './confirm.ts';
import {
  checkMaxAmount,
  checkUnattended,
  type Plan,
  parseOrderAmount,
  parseTarget,
  type WithdrawFlags,
} from './order.ts';

export async function withdraw(runtime: Runtime, flags: WithdrawFlags): Promise<void> {
  const output = await runtime.output(receiptView);
  const plan = await complete(runtime, flags);
  if (!(await willBeAsked(runtime))) output.note(describeOrder(plan));
  await warnOfOtherKey(runtime);
  const { sendOrder } = await import('./send.ts');
  await sendOrder(runtime, plan, flags);
}

/** The question tells the order. */
const willBeAsked = async ({ globals, prompter }: Runtime): Promise<boolean> =>
  globals.yes !== true && globals.dryRun !== true && (await prompter()).canAsk;

/** Fills what is missing by asking, where there is somebody to ask; checks all of it (64, 78, 87). */
async function complete(runtime: Runtime, flags: WithdrawFlags): Promise<Plan> {
  const [config, prompter] = await Promise.all([runtime.config(), runtime.prompter()]);
  const { yes, dryRun } = runtime.globals;
  const rehearsal = dryRun === true;
  if (!prompter.canAsk)
    checkUnattended({
      '--amount': flags.amount !== undefined,
      '--to': flags.to !== undefined,
      '--idempotency-key': rehearsal || flags.idempotencyKey !== undefined,
      '--yes': rehearsal || yes === true,
    });
  const profile = config.profile();
  const saved = readDestinations(config);
  const policy = readPolicy(config);
  const type = flags.type === undefined ? undefined : parseKeyType(flags.type);
  const target = parseTarget(flags.to ?? (await askFor.target(prompter, type, saved)), type, saved);
  const amount = parseOrderAmount(flags.amount ?? (await askFor.amount(prompter)), '--amount');
  checkMaxAmount(amount, flags.maxAmount);
  return {
    profile,
    severalProfiles: config.list().length > 1,
    amount,
    target,
    saved: isSaved(saved, target),
    policy,
    idempotencyKey: parseKey('--idempotency-key', flags.idempotencyKey ?? randomUUID()),
  };
}
