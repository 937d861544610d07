/**
 * The local policy: what this machine may pay out, checked before anything is sent (docs/withdrawals.md, "The policy of
 * this machine"). Pure: the caller brings the day's total from the ledger and the time from the clock.
 */
import type { Cents } from '../../contract/brand.ts';

export interface QuietHours {
  /** Minutes after midnight at which the pause begins, 0 to 1439. */
  readonly from: number;
  /** Minutes after midnight at which it ends; less than `from` if it spans midnight. */
  readonly to: number;
}

export interface Policy {
  /** Largest single withdrawal, cents; null for no cap. */
  readonly maxPerWithdrawal: Cents | null;
  /** Largest total per merchant and calendar day in `timeZone`, cents; null for no cap. */
  readonly maxPerDay: Cents | null;
  readonly savedDestinationsOnly: boolean;
  readonly quietHours: QuietHours | null;
  /** IANA time zone of the day and of the quiet hours. */
  readonly timeZone: string;
  /** Above this amount a person types it to confirm, cents; null for never. */
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
  /**
   * What the ledger holds for this scope since `dayStart`: everything that moved or may have moved. Cents. Null if the
   * caller cannot know yet: the day's limit is then left to a later look.
   */
  readonly spentToday: number | null;
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

/** Returns the first rule that the withdrawal would break, or null. */
export function breachOf(policy: Policy, question: PolicyQuestion): Breach | null {
  const { maxPerWithdrawal, maxPerDay, quietHours, timeZone } = policy;
  const { spentToday } = question;
  if (maxPerWithdrawal !== null && question.amount > maxPerWithdrawal)
    return { rule: 'max-per-withdrawal', cap: maxPerWithdrawal };
  if (maxPerDay !== null && spentToday !== null && spentToday + question.amount > maxPerDay)
    return { rule: 'max-per-day', cap: maxPerDay, spentToday };
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

/** Whether a minute of the day lies in the quiet hours: `from` does, `to` does not. Equal ends mean the whole day. */
function isQuiet({ from, to }: QuietHours, minutes: number): boolean {
  if (from < to) return minutes >= from && minutes < to;
  return minutes >= from || minutes < to;
}

/** Returns the instant (milliseconds since the epoch) at which the calendar day of `now` began in `timeZone`. */
export function dayStart(now: number, timeZone: string): number {
  const { date: today, minutes } = localTime(now, timeZone);
  const isToday = (at: number) => localTime(at, timeZone).date === today;
  const midnight = now - (now % 60_000) - minutes * 60_000;
  if (isToday(midnight) && !isToday(midnight - 1)) return midnight;
  // A day has 23 to 25 hours, and some zones skip midnight itself, so search for the first instant of the date.
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

/** Cached, because creating one costs more than the twenty uses that the search for the start of a day makes of it. */
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

/** Parses `22:00` to 1320. Null if it is no time of day. */
export function parseMinutes(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

export const formatMinutes = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
