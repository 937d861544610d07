/** The service's list of withdrawals, read whole: its order is not shown, so a part of it proves nothing. */
import { PixctlError } from '../../errors.ts';
import type { ListOptions, Service } from '../dependencies.ts';
import type { Identified } from './body.ts';

export interface Listing {
  readonly items: readonly Identified[];
  readonly ids: ReadonlySet<string>;
}

/**
 * At most this many pages may hold only what was listed before. New withdrawals push items onto later pages, but hardly
 * ever, for one is in flight at a time: with more such pages, the list has no end.
 */
const maxIdlePages = 10;

/** Throws a `PixctlError` when the list cannot be read to its end, has none, or shows withdrawals without ids. */
export async function readListing(service: Service, options?: ListOptions): Promise<Listing> {
  const items = new Map<string, Identified>();
  let idle = 0;
  for await (const page of service.withdrawals(options)) {
    if (idle > maxIdlePages) throw endless();
    const before = items.size;
    for (const item of page) {
      if (!item.id) throw withoutId();
      items.set(item.id, item as Identified);
    }
    if (page.length > 0 && items.size === before) idle++;
  }
  return { items: [...items.values()], ids: new Set(items.keys()) };
}

const endless = () =>
  new PixctlError(
    'unexpected',
    'PAGINATION',
    'the list of withdrawals repeats the same items without end; stopped reading it',
    {
      lasting: true,
      hint: 'See what the service answers: pixctl withdrawal list --debug. A list without end proves nothing.',
    },
  );

const withoutId = () =>
  new PixctlError('unexpected', 'NO_WITHDRAWAL_ID', 'the service lists a withdrawal without an id', {
    lasting: true,
    hint: 'Without ids a withdrawal whose answer was lost could not be found again, so nothing is sent.',
  });
