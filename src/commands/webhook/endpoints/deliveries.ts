/** `webhook deliveries <endpoint id>`: shows the service's own history. Its field names are assumed. */
import { listLimit } from '../../../contract/pagination.ts';
import type { DeliveryRecord } from '../../../contract/webhook.ts';
import { PixctlError, rewordError } from '../../../errors.ts';
import { commandLine } from '../../../flags/command-line.ts';
import { parseWholeNumber } from '../../../flags/whole-number.ts';
import type { Runtime } from '../../../runtime.ts';
import { deliveryView, isReadable } from './delivery-view.ts';

export interface DeliveriesFlags {
  readonly all?: boolean;
  readonly limit: string;
}

export async function deliveries(runtime: Runtime, id: string, flags: DeliveriesFlags): Promise<void> {
  const output = await runtime.output(deliveryView);
  const limit = parseWholeNumber('--limit', flags.limit, listLimit);
  const api = await runtime.api();
  let unread = 0;
  const noticed = (one: DeliveryRecord) => {
    if (!isReadable(one)) unread++;
    return one;
  };
  const tellUnread = () => {
    if (unread > 0 && output.options.format !== 'json' && output.options.format !== 'ndjson')
      output.note('The service uses other field names in this history: -o json shows all of them.');
  };
  const fail = (cause: unknown) => {
    throw isOdd(cause) ? withWholeAnswer(cause, id) : cause;
  };
  if (flags.all === true) {
    await output.each(deliveryView, everyPage()).catch(fail);
    return tellUnread();
  }
  const { items, pagination } = await api
    .page('listDeliveries', { path: { id }, query: { limit } })
    .catch(fail);
  await output.each(deliveryView, items.map(noticed));
  tellUnread();
  if (pagination.hasMore) output.note('There are more: add --all.');

  async function* everyPage(): AsyncGenerator<DeliveryRecord> {
    for await (const page of api.pages('listDeliveries', { id }, { limit })) yield* page.items.map(noticed);
  }
}

/** Whether the history is unlike the assumed one: neither its query nor the shape of its answer is documented. */
const isOdd = (cause: unknown): cause is PixctlError =>
  cause instanceof PixctlError && (cause.kind === 'refused' || cause.code === 'CONTRACT');

const withWholeAnswer = (cause: PixctlError, id: string): PixctlError =>
  rewordError(cause, {
    hint: `Neither the query nor the shape of this history is documented. ${commandLine(['pixctl', 'api', 'GET', `/webhooks/${encodeURIComponent(id)}/deliveries`])} asks without a query, and shows the answer as it is.`,
  });
