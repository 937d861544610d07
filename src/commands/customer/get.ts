/** `pixctl customer get <id>`; what comes must be the one asked for: another is another person. */
import { PixctlError, usageError } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import type { Runtime } from '../../runtime.ts';
import { customerView } from '../../views/customer.ts';

export async function get(runtime: Runtime, id: string): Promise<void> {
  const output = await runtime.output();
  output.check(customerView);
  // `/customers/.` and `/customers/..` would be other routes: encoding leaves dots alone.
  if (/^\.{0,2}$/.test(id.trim())) throw usageError(`"${id}" is not a customer id. Nothing was sent.`);
  const customer = await (await runtime.api()).call('getCustomer', { path: { id } });
  if (customer.id !== id)
    throw new PixctlError(
      'unexpected',
      'OTHER_CUSTOMER',
      `Asked for ${id}, and the service answered with ${customer.id}.`,
      {
        hint: `See the whole answer: ${commandLine(['pixctl', 'api', 'GET', `/customers/${encodeURIComponent(id)}`])}`,
      },
    );
  await output.show(customerView, customer);
}
