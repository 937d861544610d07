/** `pixctl policy set`. */
import type { Cents } from '../../contract/brand.ts';
import { parseAmount } from '../../contract/money.ts';
import { usageError } from '../../errors.ts';
import { isTimeZone } from '../../flags/time-zone.ts';
import { noteChangeForAllProfiles } from '../../runtime/every-profile.ts';
import type { Runtime } from '../../runtime.ts';
import type { Policy } from '../../withdrawal/policy/policy.ts';
import { parseQuietHours, toStoredPolicy, writePolicy } from '../../withdrawal/policy/settings.ts';
import { policyView } from './view.ts';

export interface PolicyFlags {
  readonly maxWithdrawal?: string;
  readonly maxDay?: string;
  readonly savedOnly?: string;
  readonly quietHours?: string;
  readonly timeZone?: string;
  readonly confirmAbove?: string;
}

/** Changes the rules that were named. Throws a usage error (64) if none was, or one makes no sense. */
export async function set(runtime: Runtime, flags: PolicyFlags): Promise<void> {
  const output = await runtime.output(policyView);
  const change = changeOf(flags);
  if (Object.keys(change).length === 0)
    throw usageError(
      'Name at least one rule to change. Nothing was changed.',
      'pixctl policy set --help lists them.',
    );
  await noteChangeForAllProfiles(runtime, 'The policy holds');
  const policy = await writePolicy(await runtime.config(), change);
  runtime.flight.completed = { what: 'The policy was changed.', hint: 'pixctl policy show shows it.' };
  await output.show(policyView, toStoredPolicy(policy));
}

function changeOf(flags: PolicyFlags): Partial<Policy> {
  const change: { -readonly [K in keyof Policy]?: Policy[K] } = {};
  const take = <K extends keyof Policy>(rule: K) => {
    const { flag, read } = rules[rule];
    const text = flags[flag];
    if (text !== undefined) change[rule] = read(text);
  };
  for (const rule of Object.keys(rules)) take(rule as keyof Policy);
  return change;
}

const cap =
  (flag: string) =>
  (text: string): Cents | null => {
    if (text === 'none') return null;
    const parsed = parseAmount(text);
    if (!parsed.ok)
      throw usageError(`${flag}: ${parsed.reason}. Nothing was changed.`, 'Write an amount, or none.');
    return parsed.cents;
  };

/** Every rule of a policy, with its flag and what reads it. Each `read` throws a usage error (64). */
export const rules: {
  readonly [K in keyof Policy]: {
    readonly flag: keyof PolicyFlags;
    readonly read: (text: string) => Policy[K];
  };
} = {
  maxPerWithdrawal: { flag: 'maxWithdrawal', read: cap('--max-withdrawal') },
  maxPerDay: { flag: 'maxDay', read: cap('--max-day') },
  savedDestinationsOnly: { flag: 'savedOnly', read: truth },
  quietHours: { flag: 'quietHours', read: hours },
  timeZone: { flag: 'timeZone', read: zone },
  confirmAbove: { flag: 'confirmAbove', read: cap('--confirm-above') },
};

function truth(text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw usageError(`--saved-only takes true or false, not "${text}". Nothing was changed.`);
  return text === 'true';
}

function hours(text: string): Policy['quietHours'] {
  if (text === 'none') return null;
  const range = parseQuietHours(text);
  if (range === null)
    throw usageError(
      `--quiet-hours takes a range like 22:00-06:00, or none, not "${text}". Nothing was changed.`,
    );
  if (range.from === range.to)
    throw usageError(
      `--quiet-hours ${text} ends when it begins: that could mean the whole day, or none of it. Nothing was changed.`,
      'For the whole day but one minute, give 00:00-23:59; none removes the rule.',
    );
  return range;
}

function zone(text: string): string {
  if (!isTimeZone(text))
    throw usageError(
      `--time-zone: ${JSON.stringify(text)} is not a time zone. Nothing was changed.`,
      'Use a name such as America/Sao_Paulo.',
    );
  return text;
}
