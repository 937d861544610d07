/** Turns flags and answers into one order, with every check that needs neither ledger nor network (64, 87). */
import type { Profile } from '../../../config/profile.ts';
import type { Cents, IdempotencyKey } from '../../../contract/brand.ts';
import { findBoundsProblem, formatCents } from '../../../contract/money.ts';
import { parsePixKey } from '../../../contract/pix-key.ts';
import { type PixKeyType, withdrawalLimits } from '../../../contract/withdrawal.ts';
import { asSentence, PixctlError, usageError } from '../../../errors.ts';
import { parseAmountFlag } from '../../../flags/amount.ts';
import { nearest } from '../../../flags/nearest.ts';
import type { Destination } from '../../../withdrawal/policy/destinations.ts';
import type { Policy } from '../../../withdrawal/policy/policy.ts';

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

export interface Target {
  readonly pixKey: string;
  readonly pixKeyType: PixKeyType;
  /** The saved destination's name, if one was meant. */
  readonly name: string | null;
}

/**
 * What is to be paid, complete before ledger or network are touched. Whether it may be sent is judged in
 * `withdrawal/attempt/plan.ts`.
 */
export interface Plan {
  readonly profile: Profile;
  /** Whether there are several profiles, so that the label is shown too. */
  readonly severalProfiles: boolean;
  readonly amount: Cents;
  readonly target: Target;
  readonly saved: boolean;
  readonly policy: Policy;
  readonly idempotencyKey: IdempotencyKey;
  /** As in `WithdrawRequest`, like the next. */
  readonly begunAt: number;
  readonly reportedTwins?: ReadonlySet<string> | undefined;
}

/** Reads an amount within the document's bounds. Throws a usage error (64) that shows every reading. */
export function parseOrderAmount(text: string, flag: string): Cents {
  const cents = parseAmountFlag(flag, text);
  const wrong = findBoundsProblem(cents, withdrawalLimits.amount, text);
  if (wrong !== null) throw usageError(`${flag}: ${wrong}. Nothing was sent.`);
  return cents;
}

/** Reads a saved destination by its name, otherwise a PIX key. A name can never be mistaken for a key. */
export function parseTarget(
  text: string,
  type: PixKeyType | undefined,
  saved: ReadonlyMap<string, Destination>,
): Target {
  const destination = saved.get(text);
  if (destination !== undefined) {
    const { name, pixKey, pixKeyType } = destination;
    if (type !== undefined && type !== pixKeyType)
      throw usageError(`The destination "${name}" is a ${pixKeyType}, not a ${type}. Nothing was sent.`);
    return { name, pixKey, pixKeyType };
  }
  const parsed = parsePixKey(text, type);
  if (parsed.ok) return { name: null, pixKey: parsed.key, pixKeyType: parsed.type };
  const meant = nearest(text, [...saved.keys()]);
  throw usageError(
    `--to ${JSON.stringify(text)}: ${parsed.reason}, and no saved destination has this name. Nothing was sent.`,
    asSentence(
      meant === undefined
        ? parsed.hint
        : `Did you mean the destination "${meant}"? Otherwise: ${parsed.hint}`,
    ),
  );
}

/** `--max-amount`: a cap for this one run, for scripts that compute the amount. Throws 87. */
export function checkMaxAmount(amount: Cents, cap: string | undefined): void {
  if (cap === undefined) return;
  const most = parseOrderAmount(cap, '--max-amount');
  if (amount <= most) return;
  throw new PixctlError(
    'policy',
    'MAX_AMOUNT',
    `${formatCents(amount)} is more than --max-amount ${formatCents(most)}; nothing was sent.`,
    { hint: 'If the amount is right, give a larger --max-amount.', field: '--amount' },
  );
}

/** Throws everything that an unattended run still has to be told, all at once (64). */
export function checkUnattended(given: Readonly<Record<string, boolean>>): void {
  const missing = Object.keys(given).filter((flag) => given[flag] !== true);
  if (missing.length === 0) return;
  throw usageError(
    `Missing: ${missing.join(', ')}. There is nobody to ask, so nothing was sent.`,
    'Unattended, a withdrawal needs --amount, --to, --idempotency-key and --yes: the key makes a rerun safe.',
  );
}

/** What is sent, and under which key. */
export const orderOf = ({ idempotencyKey, amount, target: { pixKey, pixKeyType } }: Plan) => ({
  idempotencyKey,
  amount,
  pixKey,
  pixKeyType,
});
