/** `pixctl withdraw`: one withdrawal, at most once, and the truth about what became of it. */
import { randomUUID } from 'node:crypto';
import { formatCents } from '../../contract/money.ts';
import type { Runtime } from '../../runtime.ts';
import { isSaved, readDestinations } from '../../withdrawal/destinations.ts';
import { follow } from '../../withdrawal/follow.ts';
import { parseKeyType } from '../../withdrawal/key-type.ts';
import type { Outcome } from '../../withdrawal/outcome.ts';
import { readPolicy } from '../../withdrawal/policy-settings.ts';
import type { WithdrawRequest } from '../../withdrawal/request.ts';
import { preview, withdraw as send } from '../../withdrawal/withdraw.ts';
import { askFor, confirmOrder, describeOrder, unattendedLine } from './confirm.ts';
import { liveStatus } from './live-status.ts';
import {
  checkMaxAmount,
  checkUnattended,
  type Plan,
  parseOrderAmount,
  parseOrderKey,
  parseTarget,
} from './order.ts';
import { defaultWaitMs, openProtocol, type Protocol, timeoutOf } from './protocol.ts';
import { receiptView } from './receipt.ts';
import { showOutcome } from './show-outcome.ts';

export interface WithdrawFlags {
  readonly amount?: string;
  readonly to?: string;
  readonly type?: string;
  readonly idempotencyKey?: string;
  readonly wait?: boolean;
  readonly ifBusy: 'fail' | 'wait' | 'skip';
  readonly maxAmount?: string;
  readonly allowDuplicate?: boolean;
}

export async function withdraw(runtime: Runtime, flags: WithdrawFlags): Promise<void> {
  const output = await runtime.output();
  output.check(receiptView);
  const plan = await settle(runtime, flags);
  output.note(describeOrder(plan));
  if (runtime.globals.dryRun === true) return rehearse(runtime, plan, flags);
  if (flags.idempotencyKey === undefined)
    runtime.io.writeError(
      `Idempotency key: ${plan.idempotencyKey}\nTo ask again safely, whatever happens: the same command with --idempotency-key ${plan.idempotencyKey}`,
    );
  if (flags.to === undefined || flags.amount === undefined)
    output.note(`The same without questions: ${unattendedLine(plan)}`);
  await confirmOrder(runtime, plan);
  const protocol = await openProtocol(runtime);
  const outcome = await send(protocol.dependencies, requestOf(plan, flags, protocol));
  const last = flags.wait === true ? await followOn(runtime, protocol, outcome) : outcome;
  await showOutcome(runtime, last, orderOf(plan), {
    skipped: flags.ifBusy === 'skip' && last.code === 'BUSY',
  });
}

/** `--dry-run`: what a run would do now; ends with the code that it would end with, or 0 when it would send. */
async function rehearse(runtime: Runtime, plan: Plan, flags: WithdrawFlags): Promise<void> {
  const output = await runtime.output();
  const protocol = await openProtocol(runtime);
  const { obstacle, intent, twins, spentToday } = await preview(
    protocol.dependencies,
    requestOf(plan, flags, protocol),
  );
  output.note(
    `Dry run: nothing is sent and nothing is recorded. Today before this: ${formatCents(spentToday)}.`,
  );
  const outcome: Outcome = obstacle ?? {
    exit: 'ok',
    code: 'WOULD_SEND',
    message: 'A run without --dry-run would send this withdrawal now.',
    intent,
    withdrawal: null,
    replayed: false,
    ...(twins.length > 0 ? { candidates: twins } : {}),
  };
  await showOutcome(runtime, outcome, orderOf(plan));
}

async function settle(runtime: Runtime, flags: WithdrawFlags): Promise<Plan> {
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
    amount,
    target,
    saved: isSaved(saved, target),
    policy,
    idempotencyKey: parseOrderKey(flags.idempotencyKey ?? randomUUID()),
  };
}

const requestOf = (plan: Plan, flags: WithdrawFlags, { scope }: Protocol): WithdrawRequest => ({
  scope,
  idempotencyKey: plan.idempotencyKey,
  amount: plan.amount,
  pixKey: plan.target.pixKey,
  pixKeyType: plan.target.pixKeyType,
  policy: plan.policy,
  savedDestination: plan.saved,
  allowDuplicate: flags.allowDuplicate === true,
  ifBusy: flags.ifBusy,
});

const orderOf = ({ idempotencyKey, amount, target }: Plan) => ({
  idempotencyKey,
  amount,
  pixKey: target.pixKey,
  pixKeyType: target.pixKeyType,
});

/** `--wait`: from accepted to the end; any other outcome is already the last word. */
async function followOn(
  runtime: Runtime,
  { scope, dependencies }: Protocol,
  outcome: Outcome,
): Promise<Outcome> {
  if (outcome.intent?.state !== 'ACCEPTED') return outcome;
  const live = await liveStatus(runtime);
  try {
    return await follow(dependencies, {
      scope,
      idempotencyKey: outcome.intent.idempotencyKey,
      timeoutMs: timeoutOf(runtime) ?? defaultWaitMs,
      onRead: live.read,
    });
  } finally {
    live.stop();
  }
}
