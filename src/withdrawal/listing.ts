/** The service's list of withdrawals, read whole: its order is not shown, so a part of it proves nothing. */
import { PixctlError } from '../errors.ts';
import type { Identified } from './body.ts';
import type { Service } from './dependencies.ts';

export interface Listing {
  readonly items: readonly Identified[];
  readonly ids: ReadonlySet<string>;
}

/** Throws a `PixctlError` when the list cannot be read to its end, or shows withdrawals without ids. */
export async function readListing(service: Service): Promise<Listing> {
  const items = new Map<string, Identified>();
  for await (const page of service.withdrawals()) {
    for (const item of page) {
      if (!item.id) throw withoutId();
      items.set(item.id, item as Identified);
    }
  }
  return { items: [...items.values()], ids: new Set(items.keys()) };
}

const withoutId = () =>
  new PixctlError('unexpected', 'NO_WITHDRAWAL_ID', 'the service lists a withdrawal without an id', {
    hint: 'Without ids a lost answer could not be found again, so nothing is sent.',
  });
