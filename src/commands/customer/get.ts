/** `pixctl customer get <id>`. */
import { usageError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { customerView } from '../../views/customer.ts';

export async function get(runtime: Runtime, id: string): Promise<void> {
  const output = await runtime.output();
  output.check(customerView);
  // `/customers/.` and `/customers/..` would be other routes: encoding leaves dots alone.
  if (/^\.{0,2}$/.test(id.trim())) throw usageError(`"${id}" is not a customer id. Nothing was sent.`);
  await output.show(customerView, await (await runtime.api()).call('getCustomer', { path: { id } }));
}
