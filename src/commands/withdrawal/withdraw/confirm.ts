/** What a person sees and answers before money leaves. */
import { environmentProfile } from '../../../config/profile.ts';
import { formatCents, parseAmount } from '../../../contract/money.ts';
import { maskPixKey } from '../../../contract/pix-key-mask.ts';
import type { PixKeyType } from '../../../contract/withdrawal.ts';
import { asSentence, PixctlError, removeNothingSent } from '../../../errors.ts';
import { flagWords } from '../../../flags/command-line.ts';
import type { Runtime } from '../../../runtime.ts';
import type { Prompter } from '../../../terminal/prompter.ts';
import type { Destination } from '../../../withdrawal/policy/destinations.ts';
import { merchantSuffix } from '../merchant-suffix.ts';
import { type Plan, parseOrderAmount, parseTarget, type WithdrawFlags } from './order.ts';

/** Withdraw R$ 10,50 to m***@example.com (EMAIL, saved as "rent"), profile "default" at https://... */
export function describeOrder({ amount, target, profile, severalProfiles }: Plan): string {
  const key = maskPixKey(target.pixKey, target.pixKeyType);
  const name = target.name === null ? '' : `, saved as "${target.name}"`;
  return `Withdraw ${formatCents(amount)} to ${key} (${target.pixKeyType}${name}); the service adds its fee. Profile "${profile.name}"${merchantSuffix(profile, severalProfiles)} at ${profile.baseUrl}.`;
}

/**
 * Returns the words of the command line that sends the same, once for its key, without questions. It names the merchant
 * as this run found it, by flag or by environment: the key protects only within one merchant, and another may be
 * current by then. `--allow-duplicate` is left out: a line that somebody keeps, with a new key each time, would pay
 * twice for good.
 */
export function nonInteractiveWords(
  { environment, globals }: Pick<Runtime, 'environment' | 'globals'>,
  plan: Pick<Plan, 'amount' | 'target' | 'idempotencyKey' | 'profile'>,
  { wait, ifBusy, maxAmount }: WithdrawFlags,
): string[] {
  const { amount, target, idempotencyKey, profile } = plan;
  const said = ['PIXCTL_BASE_URL', 'PIXCTL_MERCHANT'].filter((name) => environment[name]);
  const isStored = profile.keySource === 'keychain' || profile.keySource === 'file';
  // A profile that a flag names is used as a whole, and the environment is then ignored.
  const byFlag = globals.profile !== undefined || (isStored && said.length === 0);
  const assigned = said.map((name) => `${name}=${environment[name]}`);
  if (profile.name !== environmentProfile) assigned.unshift(`PIXCTL_PROFILE=${profile.name}`);
  return [
    ...(byFlag ? [] : assigned),
    ...['pixctl', 'withdraw', '--amount', String(amount)],
    ...(byFlag ? ['--profile', profile.name] : []),
    ...(target.name === null ? ['--to', target.pixKey, '--type', target.pixKeyType] : ['--to', target.name]),
    ...flagWords('--idempotency-key', idempotencyKey),
    '--yes',
    ...(wait === true ? ['--wait'] : []),
    ...(ifBusy === 'fail' ? [] : ['--if-busy', ifBusy]),
    ...(maxAmount === undefined ? [] : ['--max-amount', maxAmount]),
  ];
}

/** Questions for what the flags left out. Each answer is checked as it is typed. */
export const askFor = {
  amount: (prompter: Prompter): Promise<string> =>
    prompter.input({
      message: 'Amount (10,50 is reais, 1050 is cents):',
      validate: (text) => validationResult(() => parseOrderAmount(text, 'amount')),
    }),
  target: (
    prompter: Prompter,
    type: PixKeyType | undefined,
    saved: ReadonlyMap<string, Destination>,
  ): Promise<string> =>
    prompter.input({
      message:
        saved.size === 0
          ? 'To which PIX key:'
          : `To which PIX key or destination (${[...saved.keys()].join(', ')}):`,
      validate: (text) => validationResult(() => parseTarget(text, type, saved)),
    }),
};

/** Asks for confirmation unless `--yes` gave it. Above the policy's amount, the amount has to be typed. Throws 87. */
export async function confirmOrder(runtime: Runtime, plan: Plan): Promise<void> {
  if (runtime.globals.yes === true) return;
  const prompter = await runtime.prompter();
  const refusal = (hint?: string) =>
    new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed. Nothing was sent.', { hint });
  const { confirmAbove } = plan.policy;
  const question = describeOrder(plan);
  if (confirmAbove === null || plan.amount <= confirmAbove) {
    if (await prompter.confirm({ message: `${question} Send it?`, default: false })) return;
    throw refusal();
  }
  const typed = parseAmount(await prompter.input({ message: `${question} Type the amount to send it:` }));
  if (!typed.ok) throw refusal(asSentence(typed.reason));
  if (typed.cents !== plan.amount)
    throw refusal(
      `What was typed is ${formatCents(typed.cents)}, not ${formatCents(plan.amount)}: a whole number is cents.`,
    );
}

function validationResult(check: () => unknown): true | string {
  try {
    check();
    return true;
  } catch (error) {
    if (!(error instanceof PixctlError)) return String(error);
    // Who answers a question has given no flag.
    const said = removeNothingSent(error.message).replace(/^(--to |amount: )/, '');
    return [said, error.hint ?? ''].join(' ').trim();
  }
}
