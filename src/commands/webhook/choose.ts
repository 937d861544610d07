/** Asks which event or endpoint is meant. */
import { eventNames } from '../../contract/event-names.ts';
import type { InboxEntry } from '../../inbox/inbox.ts';
import { choicesOf, choose, maxChoices } from '../../runtime/choose.ts';
import type { Runtime } from '../../runtime.ts';
import { readStoredEndpoints } from './endpoints/endpoints.ts';
import { shownEntry } from './inbox/list.ts';
import { entryView } from './view.ts';

/** Offers received events, by key, because several may have one id. */
export async function chooseInboxEntry(runtime: Runtime) {
  return choose(runtime, {
    which: 'Which event?',
    typed: 'Event id, or key of the inbox:',
    async loadChoices() {
      const entries: InboxEntry[] = [];
      for await (const entry of (await runtime.inbox()).list({ last: maxChoices })) entries.push(entry);
      return choicesOf(runtime, entryView, entries.map(shownEntry), ({ key }) => key);
    },
  });
}

/** Offers the endpoints registered from here with the service in use, newest first. */
export async function chooseEndpoint(runtime: Runtime) {
  return choose(runtime, {
    which: 'Which endpoint?',
    typed: 'Id of the endpoint:',
    async loadChoices() {
      const config = await runtime.config();
      const { baseUrl } = config.profile();
      const here = readStoredEndpoints(config).filter((endpoint) => endpoint.baseUrl === baseUrl);
      return here.reverse().map(({ id, url }) => ({ value: id, name: `${id}  ${url}` }));
    },
  });
}

export const chooseEventName = (runtime: Runtime) =>
  choose(runtime, {
    which: 'Which event?',
    typed: 'Name of the event:',
    loadChoices: () => eventNames.map((name) => ({ value: name, name })),
  });
