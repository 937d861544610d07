/** What the list of events on the sandbox's page tells of each. */
import { expect, it } from 'vitest';
import { serve } from '../support/over-http.ts';

it.each(['flat', 'nested'])('names the charge that an event is about, its data being %s', async (shape) => {
  const sandbox = await serve({ assume: { 'event-data-shape': shape } });
  const { id } = await sandbox.charge();
  sandbox.pay(id);
  const { headers } = await fetch(sandbox.uiUrl, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(`${sandbox.url}/__sandbox/ui/events`, { headers: { cookie } })).text();
  expect(page).toContain(`<code>${id}</code>`);
});
