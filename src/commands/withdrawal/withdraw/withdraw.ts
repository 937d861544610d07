/** `pixctl withdraw`: completes the order before loading anything that sends. */
import { randomUUID } from 'node:crypto';
import type { Cents } from '../../../contract/brand.ts';
import type { PixKeyType } from '../../../contract/withdrawal.ts';
import { parseKey } from '../../../flags/idempotency-key.ts';
import { parseKeyType } from '../../../flags/key-type.ts';
import type { Runtime } from '../../../runtime.ts';
import type { Outcome } from '../../../withdrawal/outcome/outcome.ts';
import { type Destination, isSaved, readDestinations } from '../../../withdrawal/policy/destinations.ts';
import { type Breach, breachOf, type Policy } from '../../../withdrawal/policy/policy.ts';
import { readPolicy } from '../../../withdrawal/policy/settings.ts';
import { warnOfOtherKey } from '../other-key.ts';
import { receiptView } from '../receipt.ts';
import { askFor, describeOrder } from './confirm.ts';
import {
  checkMaxAmount,
  checkUnattended,
  orderOf,
  type Plan,
  parseOrderAmount,
  parseTarget,
  type WithdrawFlags,
} from './order.ts';

export async function withdraw(runtime: Runtime, flags: WithdrawFlags): Promise<void> {
  const output = await runtime.output(receiptView);
  const plan = await complete(runtime, flags);
  const asks = await willBeAsked(runtime);
  const predicted = asks ? await outcomeWithoutAnswer(runtime, plan, flags) : null;
  if (predicted !== null || !asks) output.note(describeOrder(plan));
  await warnOfOtherKey(runtime);
  if (predicted !== null && predicted.exit !== 'ok') {
    const { showOutcome } = await import('../show-outcome.ts');
    return showOutcome(runtime, predicted, orderOf(plan));
  }
  const { sendOrder } = await import('./send.ts');
  await sendOrder(runtime, plan, flags, predicted);
}

/** What the run ends with whatever is answered, so that nobody is asked; null if it depends on the answer. */
async function outcomeWithoutAnswer(
  runtime: Runtime,
  plan: Plan,
  flags: WithdrawFlags,
): Promise<Outcome | null> {
  const { predictOutcome } = await import('./predict-outcome.ts');
  return predictOutcome(runtime, plan, { again: !isWhole(flags) });
}

const isWhole = ({ to, amount }: WithdrawFlags): boolean => to !== undefined && amount !== undefined;

/** Whether a question will be asked, which then shows the order. */
const willBeAsked = async ({ globals, prompter }: Runtime): Promise<boolean> =>
  globals.yes !== true && globals.dryRun !== true && (await prompter()).canAsk;

/** Checks what is given, then asks for what is missing if somebody can answer (64, 74, 77, 78, 87). */
async function complete(runtime: Runtime, flags: WithdrawFlags): Promise<Plan> {
  const begunAt = runtime.clock.now();
  const [config, prompter] = await Promise.all([runtime.config(), runtime.prompter()]);
  const { yes, dryRun } = runtime.globals;
  const rehearsal = dryRun === true;
  const type = flags.type === undefined ? undefined : parseKeyType(flags.type);
  // Before what is missing: whoever had supplied that would meet these only in the next run.
  const given = checkGivenFlags(flags, type, flags.to === undefined ? new Map() : readDestinations(config));
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
  // Before the first question, which may stand for long: what is reported meanwhile, the flag is not about.
  const reportedTwins =
    flags.allowDuplicate === true && (await willBeAsked(runtime))
      ? await (await import('./reported-so-far.ts')).reportedSoFar(runtime, given.idempotencyKey, begunAt)
      : undefined;
  if (!isWhole(flags)) {
    const { refusalFor, runPreflightChecks } = await import('../preflight-checks.ts');
    const breach = breachSoFar(policy, given, saved, runtime.clock.now());
    const intended = { keys: [given.idempotencyKey], orders: [] };
    await runPreflightChecks(runtime, intended, async () => breach && refusalFor(breach, null));
  }
  const target = given.target ?? parseTarget(await askFor.target(prompter, type, saved), type, saved);
  const amount = given.amount ?? parseOrderAmount(await askFor.amount(prompter), '--amount');
  checkMaxAmount(amount, flags.maxAmount);
  return {
    profile,
    severalProfiles: config.list().length > 1,
    amount,
    target,
    saved: isSaved(saved, target),
    policy,
    idempotencyKey: given.idempotencyKey,
    begunAt,
    reportedTwins,
  };
}

/** Returns the rule of the policy that is broken whatever is answered. The day's total needs the whole order. */
const breachSoFar = (
  policy: Policy,
  { amount, target }: ReturnType<typeof checkGivenFlags>,
  saved: ReadonlyMap<string, Destination>,
  now: number,
): Breach | null =>
  breachOf(policy, {
    amount: amount ?? (0 as Cents),
    spentToday: null,
    destinationSaved: target === null || isSaved(saved, target),
    now,
  });

/** Checks the given flags before anything is asked. Throws 64, and 87 for more than --max-amount. */
function checkGivenFlags(
  { to, amount, maxAmount, idempotencyKey }: WithdrawFlags,
  type: PixKeyType | undefined,
  saved: ReadonlyMap<string, Destination>,
) {
  const target = to === undefined ? null : parseTarget(to, type, saved);
  const cents = amount === undefined ? null : parseOrderAmount(amount, '--amount');
  if (cents !== null) checkMaxAmount(cents, maxAmount);
  else if (maxAmount !== undefined) parseOrderAmount(maxAmount, '--max-amount');
  return {
    target,
    amount: cents,
    idempotencyKey: parseKey('--idempotency-key', idempotencyKey ?? randomUUID()),
  };
}
