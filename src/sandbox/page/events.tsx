/** Events: the list, and one of them with its deliveries, to replay and compare. */
import { recordIdIn } from '../../contract/event-data.ts';
import { parseObject } from '../../contract/json-object.ts';
import { dataError } from '../../errors.ts';
import { compactJson } from '../../page/attempt.ts';
import { Badge } from '../../page/detail.tsx';
import { List, pageSize } from '../../page/list.tsx';
import { Moment } from '../../page/moment.tsx';
import type { Pages } from '../../page/pages.tsx';
import type { Assembly } from '../assembly.ts';
import { type ReplayMode, unsignedReplayMessage } from '../deliveries/replay.ts';
import { Refusal } from '../rules/refusal.ts';
import { toWrittenData } from '../rules/trigger.ts';
import type { World } from '../world/world.ts';
import { EventDetail, type EventRow } from './event-detail.tsx';
import { pageLinks, readBefore, readField, toneOf } from './facts.ts';

export function eventPages({ routes, show, goTo }: Pages, { world, deliveries }: Assembly): void {
  const topics = ['records', 'clock'];
  routes
    .get('/events', (context) => {
      const before = readBefore(context);
      return show(context, { title: 'Events', section: 'events', topics }, <Events {...{ world, before }} />);
    })
    .get('/events/:id', (context) => {
      const row = findEvent(world, context.req.param('id'));
      const { a, b } = context.req.query();
      return show(
        context,
        { title: row.event, section: 'events', topics },
        <EventDetail
          {...{ world, row }}
          deliveries={deliveries.list({ eventSeq: row.seq, limit: pageSize + 1 })}
          chosen={[a, b]}
        />,
      );
    })
    .post('/deliveries/:id/replay', async (context) => {
      const how: ReplayMode = (await readField(context, 'how')) === 'identical' ? 'identical' : 'resigned';
      const made = deliveries.replay(Number(context.req.param('id')), how);
      if (made === null) throw noDelivery();
      if (made === 'unsigned') throw new Refusal('CONFLICT', unsignedReplayMessage);
      return goTo(context, `events/${encodeURIComponent(await readField(context, 'event'))}`);
    })
    .post('/deliveries/:id/edit', async (context) => {
      const data = await readField(context, 'data');
      const parsed = parseObject(data);
      if (parsed === null) throw dataError('BAD_DATA', 'The data is not a JSON object. Nothing was sent.');
      toWrittenData(parsed);
      const id = deliveries.replayEdited(Number(context.req.param('id')), compactJson(data));
      if (id === null) throw noDelivery();
      return goTo(context, `events/${encodeURIComponent(id)}`);
    });
}

const noDelivery = () => new Refusal('NOT_FOUND', 'there is no such delivery');

const columns = 'seq, id, merchant_id AS merchantId, event, data, occurred_at AS occurredAt';

function findEvent(world: World, id: string): EventRow {
  const row = world.store.get<EventRow>(`SELECT ${columns} FROM events WHERE id = ?`, id);
  if (row === undefined) throw new Refusal('NOT_FOUND', `there is no event ${id}`);
  return row;
}

const Events = ({ world, before }: { world: World; before: number | null }) => {
  const rows = world.store.all<EventRow>(
    `SELECT ${columns} FROM events WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
    before ?? Number.MAX_SAFE_INTEGER,
    pageSize,
  );
  return (
    <>
      <h1>Events</h1>
      <List
        name="Events"
        items={rows}
        keyOf={({ id }) => id}
        href={({ id }) => `events/${encodeURIComponent(id)}`}
        {...pageLinks('events', before, rows, 'seq')}
        empty={<p>Nothing has happened yet. Pay a charge, and its event appears here.</p>}
        columns={[
          { header: 'Event', cell: ({ event }) => event },
          { header: 'Deliveries', cell: ({ seq }) => <States world={world} seq={seq} /> },
          { header: 'About', kind: 'wide', cell: ({ data }) => <code>{recordIdIn(JSON.parse(data))}</code> },
          { header: 'Id', kind: 'wide', cell: ({ id }) => <code>{id}</code> },
          { header: 'At', kind: 'wide', cell: ({ occurredAt }) => <Moment at={occurredAt} /> },
        ]}
      />
    </>
  );
};

/** Shows the states of its deliveries, each once. */
const States = ({ world, seq }: { world: World; seq: number }) => {
  const states = world.store.all<{ state: string; count: number }>(
    'SELECT state, count(*) AS count FROM deliveries WHERE event = ? GROUP BY state ORDER BY state',
    seq,
  );
  if (states.length === 0) return <span class="dim">nobody listens</span>;
  return (
    <>
      {states.map(({ state, count }) => (
        <>
          <Badge tone={toneOf(state)}>{count === 1 ? state : `${count} ${state}`}</Badge>{' '}
        </>
      ))}
    </>
  );
};
