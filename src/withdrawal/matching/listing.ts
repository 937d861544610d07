/** The service's list of withdrawals, read whole: its order is not documented, so part of it proves nothing. */
import { isUsableId, type Withdrawal } from '../../contract/withdrawal.ts';
import { PixctlError } from '../../errors.ts';
import type { ListOptions, Service } from '../dependencies.ts';
import type { Identified } from './body.ts';

export interface Listing {
  readonly items: readonly Identified[];
  readonly ids: ReadonlySet<string>;
}

/**
 * How many pages may hold nothing but what was listed before. New withdrawals push items onto later pages, but rarely,
 * with one in flight at a time: with more such pages than this, the list has no end.
 */
const maxIdlePages = 10;

/**
 * Reads the whole list. Throws a `PixctlError` when it cannot be read to its end, has none, or shows an item without a
 * usable id.
 */
export async function readListing(service: Service, options?: ListOptions): Promise<Listing> {
  const items = new Map<string, Identified>();
  const take = (page: readonly Identified[]) => {
    const before = items.size;
    for (const item of page) items.set(item.id, item);
    return items.size - before;
  };
  await readPages(service, take, options);
  return { items: [...items.values()], ids: new Set(items.keys()) };
}

/**
 * Hands the list over page by page; `take` returns how many items of the page were not listed before. Throws as
 * `readListing` does.
 */
export async function readPages(
  service: Service,
  take: (page: readonly Identified[]) => number | Promise<number>,
  options?: ListOptions,
): Promise<void> {
  let idle = 0;
  for await (const page of service.withdrawals(options)) {
    if (idle > maxIdlePages) throw endless();
    if (!page.every(isIdentified)) throw withoutId();
    if ((await take(page)) === 0 && page.length > 0) idle++;
  }
}

const isIdentified = (one: Withdrawal): one is Identified => isUsableId(one.id);

const endless = () =>
  new PixctlError(
    'unexpected',
    'PAGINATION',
    'the list of withdrawals repeats the same items without end; stopped reading it',
    {
      isPermanent: true,
      hint: 'See what the service answers: pixctl withdrawal list --debug. An endless list proves nothing.',
    },
  );

const withoutId = () =>
  new PixctlError('unexpected', 'NO_WITHDRAWAL_ID', 'the service lists a withdrawal without a usable id', {
    isPermanent: true,
    hint: 'Without ids a withdrawal whose answer was lost could not be found again, so nothing is sent.',
  });
