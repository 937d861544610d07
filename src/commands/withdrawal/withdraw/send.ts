/**
 * The second half of `pixctl withdraw`: confirms, sends at most once, follows, and reports truthfully what became of
 * it.
 */
import { formatCents } from '../../../contract/money.ts';
import { commandLine, nonInteractiveNote } from '../../../flags/command-line.ts';
import { timeoutOf } from '../../../flags/duration.ts';
import type { Runtime } from '../../../runtime.ts';
import { forStderr } from '../../../terminal/for-stderr.ts';
import { preview } from '../../../withdrawal/dry-run.ts';
import { followIfAccepted } from '../../../withdrawal/follow.ts';
import type { Outcome } from '../../../withdrawal/outcome/outcome.ts';
import { refresh } from '../../../withdrawal/refresh.ts';
import type { WithdrawRequest } from '../../../withdrawal/request.ts';
import { withdraw as send } from '../../../withdrawal/withdraw.ts';
import { fundsHint } from '../funds.ts';
import { startLiveStatus } from '../live-status.ts';
import { openToSend } from '../open-to-send.ts';
import { defaultWaitMs, type Protocol } from '../protocol.ts';
import { showOutcome } from '../show-outcome.ts';
import { confirmOrder, nonInteractiveWords } from './confirm.ts';
import { orderOf, type Plan, type WithdrawFlags } from './order.ts';

/** `settled`: what an earlier run has made of the order, by the ledger. Nothing is asked then, nor sent. */
export async function sendOrder(
  runtime: Runtime,
  plan: Plan,
  flags: WithdrawFlags,
  settled: Outcome | null,
): Promise<void> {
  if (runtime.globals.dryRun === true) return showDryRun(runtime, plan, flags);
  if (settled === null) await askToSend(runtime, plan, flags);
  const protocol = await openToSend(runtime, [orderOf(plan)]);
  const outcome = settled ?? (await send(protocol.dependencies, requestOf(runtime, plan, flags, protocol)));
  const last = await (flags.wait === true
    ? followToEnd(runtime, protocol, outcome)
    : refresh(protocol.dependencies, outcome));
  await showOutcome(runtime, await withFunds(runtime, withQueue(last, flags)), orderOf(plan), {
    skipped: flags.ifBusy === 'skip' && last.code === 'BUSY',
  });
  const { intent } = last;
  // Cron would mail it for every withdrawal.
  if (intent?.state === 'ACCEPTED' && intent.resourceId !== null && runtime.io.stderrIsTerminal) {
    const wait = commandLine(['pixctl', 'withdrawal', 'wait', intent.resourceId]);
    (await runtime.output()).note(`To see how it ends: ${wait}`);
  }
}

/** Tells how the order can be sent again safely, and asks for confirmation (87). */
async function askToSend(runtime: Runtime, plan: Plan, flags: WithdrawFlags): Promise<void> {
  const output = await runtime.output();
  const { globals } = runtime;
  const asked = flags.to === undefined || flags.amount === undefined;
  if (flags.idempotencyKey === undefined) {
    // Where the whole line follows, it says that.
    const again =
      asked && globals.quiet !== true
        ? ''
        : `\nTo run it again safely, whatever happens: the same command with --idempotency-key ${plan.idempotencyKey}`;
    runtime.io.writeError(forStderr(runtime.io, `Idempotency key: ${plan.idempotencyKey}${again}`));
  }
  if (asked)
    output.note(
      `${nonInteractiveNote(globals, nonInteractiveWords(runtime, plan, flags))}\nWith this key it is safe to run again, whatever happens.`,
    );
  await confirmOrder(runtime, plan);
}

/**
 * `--dry-run`: shows what a run would do now. Exits with the code that the run would end with, or 0 if it would send.
 */
async function showDryRun(runtime: Runtime, plan: Plan, flags: WithdrawFlags): Promise<void> {
  const output = await runtime.output();
  const protocol = await openToSend(runtime, [orderOf(plan)]);
  const request = requestOf(runtime, plan, flags, protocol);
  const { obstacle, intent, spentToday } = await preview(protocol.dependencies, request);
  output.note(
    `Dry run: nothing was sent and nothing was recorded. Paid out today before this: ${formatCents(spentToday)}.`,
  );
  const outcome: Outcome = obstacle ?? {
    exit: 'ok',
    code: 'WOULD_SEND',
    message: `A run without --dry-run${await missingFlagsText(runtime, flags)} would send this withdrawal now.`,
    intent,
    withdrawal: null,
    replayed: false,
  };
  await showOutcome(runtime, withQueue(outcome, flags), orderOf(plan));
}

/** Says what else the real run needs if nobody is there to be asked for it. */
async function missingFlagsText(runtime: Runtime, { idempotencyKey }: WithdrawFlags): Promise<string> {
  if ((await runtime.prompter()).canAsk) return '';
  const needs = [
    ...(idempotencyKey === undefined ? ['--idempotency-key <key>'] : []),
    ...(runtime.globals.yes === true ? [] : ['--yes']),
  ];
  return needs.length === 0 ? '' : `, with ${needs.join(' and ')},`;
}

/** Adds how to wait for another withdrawal, for a run that did not. */
const withQueue = (outcome: Outcome, { ifBusy }: WithdrawFlags): Outcome =>
  outcome.code === 'BUSY' && ifBusy !== 'wait'
    ? { ...outcome, hint: 'Run again later, or wait for it with --if-busy wait.' }
    : outcome;

async function withFunds(runtime: Runtime, outcome: Outcome): Promise<Outcome> {
  const funds = await fundsHint(runtime, outcome);
  return funds === '' ? outcome : { ...outcome, hint: `${funds} ${outcome.hint ?? ''}` };
}

const requestOf = (
  runtime: Runtime,
  plan: Plan,
  flags: WithdrawFlags,
  { scope }: Protocol,
): WithdrawRequest => ({
  scope,
  idempotencyKey: plan.idempotencyKey,
  amount: plan.amount,
  pixKey: plan.target.pixKey,
  pixKeyType: plan.target.pixKeyType,
  policy: plan.policy,
  savedDestination: plan.saved,
  allowDuplicate: flags.allowDuplicate === true,
  begunAt: plan.begunAt,
  reportedTwins: plan.reportedTwins,
  ifBusy: flags.ifBusy,
  busyTimeoutMs: timeoutOf(runtime.globals) ?? defaultWaitMs,
});

/** `--wait`. */
async function followToEnd(runtime: Runtime, { dependencies }: Protocol, outcome: Outcome): Promise<Outcome> {
  const live = await startLiveStatus(runtime);
  try {
    return await followIfAccepted(dependencies, outcome, {
      timeoutMs: timeoutOf(runtime.globals) ?? defaultWaitMs,
      onRead: live.read,
    });
  } finally {
    live.stop();
  }
}
