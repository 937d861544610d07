/** The inbox: what was received, what became of it, and replaying it. */
import { PixctlError } from '../../errors.ts';
import { List, pageSize } from '../../page/list.tsx';
import { Moment } from '../../page/moment.tsx';
import type { Pages } from '../../page/pages.tsx';
import type { Attempt, InboxEntry, InboxEvent } from '../store.ts';
import type { InspectorDependencies, InspectorStore } from './dependencies.ts';
import { ReceivedDetail } from './received.tsx';
import { replayEdited, replayOnce } from './replay.ts';
import { formatOutcome, State } from './state.tsx';

export function inboxPages(
  { routes, show, goTo }: Pages,
  dependencies: InspectorDependencies,
  changed: () => void,
): void {
  const { store } = dependencies;
  const topics = ['inbox'];
  const path = (key: string) => `events/${encodeURIComponent(key)}`;
  routes
    .get('/inbox', async (context) => {
      const before = context.req.query('before');
      const items: InboxEntry[] = [];
      for await (const entry of store.list({ last: pageSize, ...(before === undefined ? {} : { before }) }))
        items.push(entry);
      const screen = { title: 'Inbox', section: 'inbox', topics };
      return show(context, screen, <InboxList {...{ items, before }} />);
    })
    .get('/events/:key', async (context) => {
      const event = await requireReceivedEvent(store, context.req.param('key'));
      const attempts = await attemptsOf(store, event);
      const { a, b } = context.req.query();
      const screen = { title: event.event || event.eventId, section: 'inbox', topics };
      return show(context, screen, <ReceivedDetail {...{ event, attempts, dependencies, chosen: [a, b] }} />);
    })
    .post('/events/:key/replay', async (context) => {
      const event = await requireReceivedEvent(store, context.req.param('key'));
      const { how } = await context.req.parseBody();
      await replayOnce(dependencies, event, how === 'identical' ? 'identical' : 'resigned');
      changed();
      return goTo(context, path(event.key));
    })
    .post('/events/:key/edit', async (context) => {
      const event = await requireReceivedEvent(store, context.req.param('key'));
      const { body } = await context.req.parseBody();
      const key = await replayEdited(dependencies, event, typeof body === 'string' ? body : '');
      changed();
      return goTo(context, path(key));
    });
}

/** Returns the event. Throws `notFound` (404) when the inbox does not hold it. */
export async function requireReceivedEvent(
  store: Pick<InspectorStore, 'find'>,
  key: string,
): Promise<InboxEvent> {
  const event = (await store.find(key)).find((it) => it.key === key);
  if (event === undefined)
    throw new PixctlError('notFound', 'NOT_IN_INBOX', 'This event is not in the inbox.', { httpStatus: 404 });
  return event;
}

/** Of an event for several applications: of all of them, in the order of time. */
async function attemptsOf(store: InspectorStore, { key, targets }: InboxEvent): Promise<Attempt[]> {
  if (targets === undefined) return [...(await store.attempts(key))];
  const each = await Promise.all(targets.map((owed) => store.attempts(owed.key)));
  return each.flat().sort((a, b) => a.startedAt - b.startedAt);
}

const InboxList = ({ items, before }: { items: readonly InboxEntry[]; before: string | undefined }) => (
  <>
    <h1>Inbox</h1>
    <List
      name="Inbox"
      items={items}
      keyOf={({ key }) => key}
      href={({ key }) => `events/${encodeURIComponent(key)}`}
      newest={before === undefined ? null : 'inbox'}
      older={items.length < pageSize ? null : `inbox?before=${encodeURIComponent(items.at(-1)?.key ?? '')}`}
      empty={<p>Nothing received yet.</p>}
      columns={[
        { header: 'Event', cell: ({ event }) => event || '(no event name)' },
        { header: 'Forwarded', cell: ({ state }) => <State state={state} /> },
        { header: 'Answer', cell: (entry) => formatOutcome(entry) },
        { header: 'Id', kind: 'wide', cell: ({ eventId }) => <code>{eventId}</code> },
        { header: 'Attempts', kind: 'wide', cell: ({ attempts }) => attempts },
        { header: 'Again', kind: 'wide', cell: ({ duplicates }) => (duplicates === 0 ? '' : duplicates) },
        { header: 'Made', kind: 'wide', cell: ({ origin }) => (origin === 'delivery' ? '' : origin) },
        { header: 'Received', kind: 'wide', cell: ({ receivedAt }) => <Moment at={receivedAt} /> },
      ]}
    />
  </>
);
