/** `webhook endpoints`: lists those registered from here. The service documents no way to list its own. */
import { eventNames } from '../../../contract/event-names.ts';
import type { Runtime } from '../../../runtime.ts';
import type { View } from '../../../terminal/view.ts';
import { readStoredEndpoints, type StoredEndpoint } from './endpoints.ts';

type Listed = Pick<StoredEndpoint, 'id' | 'url' | 'events' | 'baseUrl'>;

export async function listEndpoints(runtime: Runtime): Promise<void> {
  const output = await runtime.output(endpointView);
  const newestFirst = readStoredEndpoints(await runtime.config()).reverse();
  const listed = newestFirst.map(({ id, url, events, baseUrl }): Listed => ({ id, url, events, baseUrl }));
  if ((await output.each(endpointView, listed)) > 0) return;
  output.note(
    'No endpoint was registered from here: pixctl webhook add registers one, and so does pixctl webhook listen --register. The service documents no way to list those that were registered elsewhere.',
  );
}

export const endpointView: View<Listed> = {
  name: 'endpoint',
  columns: [
    { key: 'id', header: 'Endpoint', kind: 'id' },
    { key: 'url', header: 'Address' },
    {
      key: 'events',
      header: 'Events',
      value: ({ events }) => events.join(', '),
      text: ({ events }) => (eventNames.every((name) => events.includes(name)) ? 'all' : events.join(', ')),
    },
    { key: 'baseUrl', header: 'Service' },
  ],
};
