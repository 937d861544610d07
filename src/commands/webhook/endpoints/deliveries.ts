/** `webhook deliveries <endpoint id>`: the service's own history. Its field names are assumed. */
import { listLimit } from '../../../contract/pagination.ts';
import type { DeliveryRecord } from '../../../contract/webhook.ts';
import { wholeNumber } from '../../../flags/whole-number.ts';
import type { Runtime } from '../../../runtime.ts';
import { deliveryView } from '../view.ts';

export interface DeliveriesFlags {
  readonly all?: boolean;
  readonly limit: string;
}

export async function deliveries(runtime: Runtime, id: string, flags: DeliveriesFlags): Promise<void> {
  const output = await runtime.output();
  output.check(deliveryView);
  const limit = wholeNumber('--limit', flags.limit, listLimit);
  const api = await runtime.api();
  if (flags.all === true) {
    await output.each(deliveryView, everyPage());
    return;
  }
  const { items, pagination } = await api.page('listDeliveries', { path: { id }, query: { limit } });
  await output.each(deliveryView, items);
  if (pagination.hasMore) output.note('There are more: add --all.');

  async function* everyPage(): AsyncGenerator<DeliveryRecord> {
    for await (const page of api.pages('listDeliveries', { id }, { limit })) yield* page.items;
  }
}
