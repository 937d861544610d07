/** `pixctl sandbox reset|seed|assumptions`. */
import { type AssumptionId, assumptions as known } from '../../contract/assumptions.ts';
import { PixctlError } from '../../errors.ts';
import { wholeNumber } from '../../flags/whole-number.ts';
import type { Runtime } from '../../runtime.ts';
import { controlOf } from './control.ts';
import { type AssumptionItem, assumptionView } from './view.ts';

export async function reset(runtime: Runtime): Promise<void> {
  const control = await controlOf(runtime);
  await control.call('POST', '/reset');
  (await runtime.output()).note(
    `The sandbox at ${control.url} is as at its start; its clock stays where it is.`,
  );
}

export async function seed(runtime: Runtime, flags: { charges: string; customers: string }): Promise<void> {
  const wanted = {
    charges: wholeNumber('--charges', flags.charges, manyMost),
    customers: wholeNumber('--customers', flags.customers, manyMost),
  };
  const control = await controlOf(runtime);
  const made = await control.call<{ charges: number; customers: number }>('POST', '/seed', wanted);
  (await runtime.output()).note(`Made ${made.charges} charges and ${made.customers} customers.`);
}

/** As many as make a sandbox worth paging through. */
const manyMost = { min: 0, max: 999_999 };

/** Of the running sandbox, else the defaults: the list is worth reading without one. */
export async function assumptions(runtime: Runtime): Promise<void> {
  const output = await runtime.output();
  output.check(assumptionView);
  await output.each(assumptionView, await inForce(runtime));
}

async function inForce(runtime: Runtime): Promise<AssumptionItem[]> {
  try {
    return await (await controlOf(runtime)).call<AssumptionItem[]>('GET', '/assumptions');
  } catch (error) {
    const absent = error instanceof PixctlError && (error.kind === 'config' || error.kind === 'later');
    if (!absent || runtime.signal.aborted) throw error;
    (await runtime.output()).note('No sandbox is running; these are the defaults.');
    return (Object.keys(known) as AssumptionId[]).map((id) => ({
      id,
      ...known[id],
      inForce: known[id].choices[0],
      chosen: false,
    }));
  }
}
