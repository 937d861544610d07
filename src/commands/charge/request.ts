/**
 * Turns flags and answers into the body of `POST /transparents/create`. Nothing leaves that the document would refuse.
 */
import { type CreateChargeBody, chargeLimits, countCharacters } from '../../contract/charge.ts';
import { findBoundsProblem, formatCents, parseAmount } from '../../contract/money.ts';
import { usageError } from '../../errors.ts';
import { parseAmountFlag } from '../../flags/amount.ts';
import { flagWords } from '../../flags/command-line.ts';
import { parseDuration } from '../../flags/duration.ts';
import type { Prompter } from '../../terminal/prompter.ts';

export interface CreateFlags {
  readonly amount?: string;
  readonly description?: string;
  readonly customer?: string;
  readonly expiresIn?: string;
  readonly idempotencyKey?: string;
  readonly qr?: boolean;
  readonly png?: string;
  readonly wait?: boolean;
}

/** Asks for what is missing if somebody can answer. `asked` says what was asked for. */
export async function complete(
  flags: CreateFlags,
  prompter: Prompter,
): Promise<{ flags: CreateFlags; asked: boolean }> {
  if (flags.amount !== undefined) return { flags, asked: false };
  if (!prompter.canAsk) {
    throw usageError(
      '--amount is missing. Nothing was sent.',
      'Give cents (1050) or reais with two decimals (10,50).',
    );
  }
  const amount = await prompter.input({
    message: 'Amount (cents, or reais as 10,50)',
    validate: (text) => amountProblem(text) ?? true,
  });
  const description =
    flags.description ??
    (await prompter.input({
      message: 'Description for the payer (optional)',
      validate: (text) => descriptionProblem(text) ?? true,
    }));
  const customer =
    flags.customer ??
    (
      await prompter.input({
        message: 'Customer id (optional)',
        validate: (text) => customerProblem(text.trim()) ?? true,
      })
    ).trim();
  return { flags: { ...flags, amount, ...nonEmptyEntries({ description, customer }) }, asked: true };
}

/** Returns the request body. Throws a usage error (64) for what the document says the service would refuse. */
export function bodyOf(flags: CreateFlags): CreateChargeBody {
  const { amount = '', description, customer } = flags;
  const cents = parseAmountFlag('--amount', amount);
  const outside = findBoundsProblem(cents, chargeLimits.amount, amount);
  if (outside !== null) throw usageError(`--amount: ${outside}. Nothing was sent.`);
  return {
    method: 'PIX',
    amount: cents,
    ...nonEmptyEntries({ description, customerId: customer }),
    ...checkOptionalFlags(flags),
  };
}

/** Checks what is given besides the amount, and returns what it read of it. Throws a usage error (64). */
export function checkOptionalFlags({ description, customer, expiresIn }: CreateFlags): {
  expiresIn?: number;
} {
  const problem =
    (description === undefined ? null : descriptionProblem(description)) ??
    (customer === undefined ? null : customerProblem(customer));
  if (problem !== null) throw usageError(`${problem}. Nothing was sent.`);
  return expiresIn === undefined ? {} : { expiresIn: secondsOf(expiresIn) };
}

/** Describes the request in one line for people. */
export const describeBody = ({ amount, description }: CreateChargeBody): string =>
  `Charge of ${formatCents(amount)}${description === undefined ? '' : ` ("${description}")`}`;

/** Returns the words of the command line that does the same without asking. */
export const nonInteractiveWords = (flags: CreateFlags): string[] => [
  ...['pixctl', 'charge', 'create', '--amount', flags.amount ?? ''],
  ...(flags.description === undefined ? [] : flagWords('--description', flags.description)),
  ...(flags.customer === undefined ? [] : flagWords('--customer', flags.customer)),
  ...(flags.expiresIn === undefined ? [] : ['--expires-in', flags.expiresIn]),
  ...(flags.idempotencyKey === undefined ? [] : flagWords('--idempotency-key', flags.idempotencyKey)),
  ...(flags.qr === false ? ['--no-qr'] : []),
  ...(flags.png === undefined ? [] : flagWords('--png', flags.png)),
  ...(flags.wait === true ? ['--wait'] : []),
];

function amountProblem(text: string): string | null {
  const parsed = parseAmount(text);
  return parsed.ok ? findBoundsProblem(parsed.cents, chargeLimits.amount, text) : parsed.reason;
}

const descriptionProblem = (text: string): string | null =>
  tooLong('description', text, chargeLimits.description.max);

const customerProblem = (text: string): string | null =>
  tooLong('customer id', text, chargeLimits.customerId.max);

function tooLong(what: string, text: string, max: number): string | null {
  const count = countCharacters(text);
  return count > max ? `The ${what} has ${count} characters; ${max} is the maximum` : null;
}

function secondsOf(text: string): number {
  const seconds = parseDuration(text, '--expires-in') / 1000;
  const { min, max } = chargeLimits.expiresIn;
  if (seconds >= min && seconds <= max) return seconds;
  throw usageError(
    `--expires-in ${text} is outside 60s to 30d. Nothing was sent.`,
    /^\s*\d+\s*$/.test(text)
      ? 'A bare number is seconds; with a unit it is minutes (15m), hours (24h) or days (30d).'
      : undefined,
  );
}

/** Returns the entries that hold something. */
const nonEmptyEntries = <T extends Record<string, string | undefined>>(
  entries: T,
): { [K in keyof T]?: string } =>
  Object.fromEntries(
    Object.entries(entries).filter(([, value]) => value !== undefined && value !== ''),
  ) as never;
