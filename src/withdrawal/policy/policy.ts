/**
 * The local policy: what this machine may pay out, checked before anything is sent (docs/withdrawals.md, "The policy
 * of this machine"). Pure: the caller brings the day's sum from the ledger and the time from the clock.
 */
import type { Cents } from '../../contract/brand.ts';

export interface QuietHours {
  /** Minutes after midnight at which the pause begins, 0 to 1439. */
  readonly from: number;
  /** Minutes after midnight at which it ends; before `from` when it spans midnight. */
  readonly to: number;
}

export interface Policy {
  /** Largest single withdrawal, cents; null for no cap. */
  readonly maxPerWithdrawal: Cents | null;
  /** Largest sum of a calendar day in `timeZone`, cents, a merchant; null for no cap. */
  readonly maxPerDay: Cents | null;
  readonly savedDestinationsOnly: boolean;
  readonly quietHours: QuietHours | null;
  /** IANA zone of the day and of the quiet hours. */
  readonly timeZone: string;
  /** Above this sum a person types the amount to confirm, cents; null: never. */
  readonly confirmAbove: Cents | null;
}

export const defaultPolicy: Policy = {
  maxPerWithdrawal: null,
  maxPerDay: null,
  savedDestinationsOnly: false,
  quietHours: null,
  timeZone: 'America/Sao_Paulo',
  confirmAbove: 100_000 as Cents,
};

export interface PolicyQuestion {
  readonly amount: Cents;
  /** What the ledger holds for this scope since `dayStart`: everything that moved or may have moved. */
  readonly spentToday: number;
  /** Whether the PIX key is one of the saved destinations. */
  readonly destinationSaved: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type Breach =
  | { readonly rule: 'max-per-withdrawal'; readonly cap: Cents }
  | { readonly rule: 'max-per-day'; readonly cap: Cents; readonly spentToday: number }
  | { readonly rule: 'saved-destinations-only' }
  | { readonly rule: 'quiet-hours'; readonly from: string; readonly to: string; readonly timeZone: string };

/** The first rule that the withdrawal would break, or null. */
export function breachOf(policy: Policy, question: PolicyQuestion): Breach | null {
  const { maxPerWithdrawal, maxPerDay, quietHours, timeZone } = policy;
  if (maxPerWithdrawal !== null && question.amount > maxPerWithdrawal)
    return { rule: 'max-per-withdrawal', cap: maxPerWithdrawal };
  if (maxPerDay !== null && question.spentToday + question.amount > maxPerDay)
    return { rule: 'max-per-day', cap: maxPerDay, spentToday: question.spentToday };
  if (policy.savedDestinationsOnly && !question.destinationSaved) return { rule: 'saved-destinations-only' };
  if (quietHours !== null && isQuiet(quietHours, localTime(question.now, timeZone).minutes))
    return {
      rule: 'quiet-hours',
      from: formatMinutes(quietHours.from),
      to: formatMinutes(quietHours.to),
      timeZone,
    };
  return null;
}

/** Whether a minute of the day lies in the pause; `from` is in it, `to` is not. Equal ends: the whole day. */
function isQuiet({ from, to }: QuietHours, minutes: number): boolean {
  if (from < to) return minutes >= from && minutes < to;
  return minutes >= from || minutes < to;
}

/** The instant (milliseconds since the epoch) at which the calendar day of `now` began in `timeZone`. */
export function dayStart(now: number, timeZone: string): number {
  const { date: today, minutes } = localTime(now, timeZone);
  const isToday = (at: number) => localTime(at, timeZone).date === today;
  const midnight = now - (now % 60_000) - minutes * 60_000;
  if (isToday(midnight) && !isToday(midnight - 1)) return midnight;
  // A day has 23 to 25 hours, and some zones skip midnight itself: search for the first instant of the date.
  let before = now - 26 * 3_600_000;
  let within = now;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (isToday(middle)) within = middle;
    else before = middle;
  }
  return within;
}

function localTime(now: number, timeZone: string): { date: string; minutes: number } {
  const parts = formatFor(timeZone).formatToParts(now);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    minutes: Number(part('hour')) * 60 + Number(part('minute')),
  };
}

/** Making one costs more than using it twenty times, as the search for a day's start does. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(timeZone, made);
  return made;
}

/** `22:00` -> 1320; null when it is no time of day. */
export function parseMinutes(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

export const formatMinutes = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
