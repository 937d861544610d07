/** The filters of a list. They are applied here, because the document shows none on the service's side. */
import { parseIsoTime } from '../contract/iso-time.ts';
import { usageError } from '../errors.ts';
import { parseAmountFlag } from './amount.ts';
import { parsePeriod, type TimeReference } from './moment.ts';
import { didYouMean, nearest } from './nearest.ts';

export interface FilterFlags {
  readonly status?: string;
  readonly since?: string;
  readonly until?: string;
  readonly minAmount?: string;
  readonly maxAmount?: string;
}

/** A listed item. Without `createdAt`, it lies within no period. */
export interface Listed {
  readonly id?: string | undefined;
  readonly amount: number;
  readonly status: string;
  readonly createdAt?: unknown;
}

export type ItemFilter<T> = (item: T) => boolean;

interface FilterOptions {
  readonly noun: string;
  readonly statuses: readonly string[];
  readonly reference: TimeReference;
  /** Gets what no period can contain, because its creation time cannot be read, if a period was given. */
  readonly undated?: Set<unknown>;
}

/** Makes one test for each flag given. Throws a usage error (64) that names the flag's rule. */
export function parseFilters(
  { status, since, until, minAmount, maxAmount }: FilterFlags,
  { noun, statuses, reference, undated }: FilterOptions,
): ItemFilter<Listed>[] {
  const tests: ItemFilter<Listed>[] = [];
  // The first of them, so that it sees every item.
  if (undated !== undefined && (since ?? until) !== undefined) tests.push(collectUndated(undated));
  if (status !== undefined) {
    const wanted = parseNames(status, `${noun} status`, { known: statuses, called: 'Statuses' });
    tests.push((item) => wanted.includes(item.status));
  }
  const { since: from, until: to } = parsePeriod({ since, until }, reference);
  if (from !== null) tests.push(({ createdAt }) => parseIsoTime(createdAt) >= from);
  if (to !== null) tests.push(({ createdAt }) => parseIsoTime(createdAt) <= to);
  const min = minAmount === undefined ? null : parseAmountFlag('--min-amount', minAmount);
  const max = maxAmount === undefined ? null : parseAmountFlag('--max-amount', maxAmount);
  if (min !== null && max !== null && min > max) {
    throw usageError(
      `--min-amount ${minAmount} is more than --max-amount ${maxAmount}: nothing can match. Nothing was sent.`,
    );
  }
  if (min !== null) tests.push(({ amount }) => amount >= min);
  if (max !== null) tests.push(({ amount }) => amount <= max);
  return tests;
}

/** Accepts everything, and collects what has no readable creation time. */
const collectUndated =
  (undated: Set<unknown>): ItemFilter<Listed> =>
  (item) => {
    if (Number.isNaN(parseIsoTime(item.createdAt))) undated.add(item.id ?? item);
    return true;
  };

/**
 * Ids per generation, of which two are kept (200 to 400 ids, two to four pages), because new items push listed ones
 * onto later pages. Keeping five times as many costs 25 MB on a list of a million.
 */
const rememberedIds = 200;

/** Yields the items that pass every test, each once, at most `most`; asks for no page beyond them. */
export async function* filterPages<T extends Pick<Listed, 'id'>>(
  pages: AsyncIterable<{ readonly items: readonly T[] }>,
  tests: readonly ItemFilter<T>[],
  most: number,
): AsyncGenerator<T, void, undefined> {
  let kept = 0;
  const isNew = newIds();
  for await (const { items } of pages) {
    for (const item of items) {
      if (!tests.every((test) => test(item)) || !isNew(item)) continue;
      yield item;
      if (++kept >= most) return;
    }
  }
}

/** Whether an item has not been seen shortly before. One without an id is always new. */
function newIds(): (item: Pick<Listed, 'id'>) => boolean {
  let older = new Set<string>();
  let recent = new Set<string>();
  return ({ id }) => {
    if (id === undefined || id === '') return true;
    if (recent.has(id) || older.has(id)) return false;
    if (recent.size === rememberedIds) [older, recent] = [recent, new Set()];
    recent.add(id);
    return true;
  };
}

/**
 * Reads the names of a flag that takes several, in any case, with - for _. Throws a usage error (64) for one that is
 * not among the `known`, and lists these, which are `called` that.
 */
export function parseNames<Name extends string>(
  text: string,
  what: string,
  { known, called }: { readonly known: readonly Name[]; readonly called: string },
): readonly Name[] {
  return text.split(',').map((each) => {
    const typed = each.trim();
    const wanted = typed.toUpperCase().replaceAll('-', '_');
    const name = known.find((one) => one === wanted);
    if (name !== undefined) return name;
    throw usageError(
      `"${typed}" is not a ${what}${didYouMean(nearest(wanted, known))} Nothing was sent.`,
      `${called}: ${known.join(', ')}.`,
    );
  });
}
