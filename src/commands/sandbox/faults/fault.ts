/** `pixctl sandbox fault add|list|clear`. */
import { warnOfUnknownEvents } from '../../../flags/event-name.ts';
import type { Runtime } from '../../../runtime.ts';
import type { NamedPreset } from '../../../sandbox/control/faults.ts';
import type { Fault } from '../../../sandbox/faults/faults.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import { openControl } from '../control.ts';
import { type FaultFlags, faultBody } from './flags.ts';
import { clearedView, faultView, presetView } from './view.ts';

export async function addFault(runtime: Runtime, flags: FaultFlags): Promise<void> {
  const body = faultBody(flags);
  const output = await runtime.output(faultView);
  const { events = [] } = body as { readonly events?: readonly string[] };
  warnOfUnknownEvents(events, output.warn);
  await output.each(faultView, await (await openControl(runtime)).call<Fault[]>('POST', '/faults', body));
}

export async function listFaults(
  runtime: Runtime,
  { presets = false }: { presets?: boolean },
): Promise<void> {
  const output = await runtime.output<Fault & NamedPreset>(presets ? presetView : faultView);
  const control = await openControl(runtime);
  if (presets) await output.each(presetView, await control.call<NamedPreset[]>('GET', '/faults/presets'));
  else await output.each(faultView, await control.call<Fault[]>('GET', '/faults'));
}

export async function clearFaults(runtime: Runtime, id: string | undefined): Promise<void> {
  const output = await runtime.output(clearedView);
  const path = id === undefined ? '/faults' : `/faults/${encodeURIComponent(id)}`;
  const { cleared } = await (await openControl(runtime)).call<{ cleared: number }>('DELETE', path);
  await output.done(clearedView, { cleared }, `${formatCount(cleared, 'fault')} cleared.`);
}
