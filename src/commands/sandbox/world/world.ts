/** `pixctl sandbox reset|seed|assumptions`. */
import type { AssumptionId } from '../../../contract/assumptions.ts';
import { PixctlError } from '../../../errors.ts';
import { parseWholeNumber } from '../../../flags/whole-number.ts';
import { checkNamedProfile } from '../../../runtime/every-profile.ts';
import type { Runtime } from '../../../runtime.ts';
import type { Seeded } from '../../../sandbox/rules/seed.ts';
import type { AssumptionInForce } from '../../../sandbox/world/choices.ts';
import { maxSeeded } from '../../../sandbox/world/limits.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import { openControl } from '../control.ts';
import { assumptionView, resetView, seededView } from './view.ts';

export async function reset(runtime: Runtime): Promise<void> {
  const output = await runtime.output(resetView);
  const { url, call } = await openControl(runtime);
  await call('POST', '/reset');
  await output.done(
    resetView,
    { url },
    `The sandbox at ${url} is empty, like a new one; only its clock was not set back. Webhook endpoints are removed too: restart any running pixctl webhook listen.`,
  );
}

export async function seed(runtime: Runtime, flags: { charges: string; customers: string }): Promise<void> {
  const bounds = { min: 0, max: maxSeeded };
  const wanted = {
    charges: parseWholeNumber('--charges', flags.charges, bounds),
    customers: parseWholeNumber('--customers', flags.customers, bounds),
  };
  const output = await runtime.output(seededView);
  const made = await (await openControl(runtime)).call<Seeded>('POST', '/seed', wanted);
  await output.done(
    seededView,
    made,
    `Created ${formatCount(made.charges, 'charge')} and ${formatCount(made.customers, 'customer')}.`,
  );
}

/** Lists the assumptions of the running sandbox, otherwise the defaults: the list is worth reading without one. */
export async function assumptions(runtime: Runtime): Promise<void> {
  const output = await runtime.output(assumptionView);
  await checkNamedProfile(runtime);
  await output.each(assumptionView, await readAssumptions(runtime));
}

async function readAssumptions(runtime: Runtime): Promise<AssumptionInForce[]> {
  try {
    return await (await openControl(runtime)).call<AssumptionInForce[]>('GET', '/assumptions');
  } catch (error) {
    const absent = error instanceof PixctlError && (error.kind === 'config' || error.kind === 'later');
    if (!absent || runtime.signal.aborted) throw error;
    (await runtime.output()).note('No sandbox is running; these are the defaults.');
    const { assumptions: known } = await import('../../../contract/assumptions.ts');
    return (Object.keys(known) as AssumptionId[]).map((id) => ({
      id,
      ...known[id],
      inForce: known[id].choices[0],
      chosen: false,
    }));
  }
}
