/** `pixctl customer get <id>`. The answer must be the one asked for: another one is another person. */
import { usageError } from '../../errors.ts';
import { wrongRecordError } from '../../runtime/wrong-record.ts';
import type { Runtime } from '../../runtime.ts';
import { customerView } from '../../views/customer.ts';

export async function get(runtime: Runtime, id: string): Promise<void> {
  const output = await runtime.output(customerView);
  // `/customers/.` and `/customers/..` would be other routes, because encoding leaves dots alone.
  if (/^\.{0,2}$/.test(id.trim())) throw usageError(`"${id}" is not a customer id. Nothing was sent.`);
  const customer = await (await runtime.api()).call('getCustomer', { path: { id } });
  if (customer.id !== id)
    throw wrongRecordError('OTHER_CUSTOMER', id, customer.id, [
      'GET',
      `/customers/${encodeURIComponent(id)}`,
    ]);
  await output.show(customerView, customer);
}
