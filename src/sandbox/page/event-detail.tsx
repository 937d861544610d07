/** One event: its data, and each of its deliveries with attempts, reasons and replays. */
import { prettyJson, type ShownAttempt } from '../../page/attempt.ts';
import { Compare } from '../../page/compare.tsx';
import { Badge, Code, Detail } from '../../page/detail.tsx';
import { ActionForm } from '../../page/form.tsx';
import { pageSize } from '../../page/list.tsx';
import { Moment } from '../../page/moment.tsx';
import { EditAndReplay, ReplayButtons } from '../../page/replay.tsx';
import { Waterfall } from '../../page/waterfall.tsx';
import type { Delivery } from '../deliveries/delivery-list.ts';
import type { World } from '../world/world.ts';
import { toneOf } from './facts.ts';
import { toShownAttempts } from './shown-attempts.ts';

export interface EventRow {
  readonly seq: number;
  readonly id: string;
  readonly merchantId: string;
  readonly event: string;
  readonly data: string;
  readonly occurredAt: number;
}

interface EventDetailProps {
  readonly world: World;
  readonly row: EventRow;
  /** Newest first. One more than are shown means that there are more. */
  readonly deliveries: readonly Delivery[];
  /** Keys of the two attempts to compare. */
  readonly chosen: readonly [string | undefined, string | undefined];
}

export const EventDetail = ({ world, row, deliveries: found, chosen }: EventDetailProps) => {
  const deliveries = found.slice(0, pageSize);
  // A key presses one button, so only the newest delivery's button names it.
  const [newest] = deliveries;
  const waiting = deliveries.find(({ nextAttemptAt }) => nextAttemptAt !== null);
  const several = deliveries.length > 1;
  const attempts = several
    ? deliveries.toReversed().flatMap(labelledAttempts)
    : deliveries.flatMap(toShownAttempts);
  return (
    <Detail
      title={row.event}
      back={{ path: 'events', label: 'Events' }}
      facts={[
        ['Id', <span class="mono">{row.id}</span>],
        ['At', <Moment at={row.occurredAt} />],
        ['Merchant', <span class="mono">{row.merchantId}</span>],
      ]}
    >
      {deliveries.length === 0 ? (
        <p class="dim">No endpoint was subscribed to it, so it was delivered to nobody.</p>
      ) : null}
      {found.length > pageSize ? (
        <p class="dim" data-testid="unseen">
          Its newest {pageSize} deliveries are shown; there are older ones.
        </p>
      ) : null}
      {deliveries.map((delivery) => (
        <DeliverySection
          {...{ world, delivery, row, several }}
          replayKeys={delivery === newest}
          nextKey={delivery === waiting}
        />
      ))}
      <Compare attempts={attempts} chosen={chosen} path={`events/${encodeURIComponent(row.id)}`} />
      <h2>Data</h2>
      <Code label="Data" text={prettyJson(row.data)} />
    </Detail>
  );
};

/** Names its attempts apart from those of other deliveries. Those of a replay are named already. */
const labelledAttempts = (delivery: Delivery): ShownAttempt[] =>
  toShownAttempts(delivery).map((one) =>
    delivery.replayOf === null ? { ...one, label: `delivery ${delivery.id}, ${one.label}` } : one,
  );

interface DeliverySectionProps extends Pick<EventDetailProps, 'world' | 'row'> {
  readonly delivery: Delivery;
  /** Whether the page shows others. */
  readonly several: boolean;
  /** Whether keys press its replay buttons, and lead to its next attempt. */
  readonly replayKeys: boolean;
  readonly nextKey: boolean;
}

const DeliverySection = ({ world, delivery, row, several, replayKeys, nextKey }: DeliverySectionProps) => {
  const { id, state, url, nextAttemptAt, replayOf } = delivery;
  const to = `deliveries/${id}`;
  const last = delivery.attempts.at(-1);
  const fields = { event: row.id };
  const of = several ? `delivery ${id}` : undefined;
  return (
    <section data-key={`delivery-${id}`} data-testid="delivery" aria-label={`Delivery ${id}`}>
      <h2>
        {replayOf === null ? `Delivery ${id}` : `Delivery ${id}, a replay of ${replayOf}`}{' '}
        <Badge tone={toneOf(state)}>{state}</Badge>
      </h2>
      <p class="dim">
        to <code>{url}</code> ({delivery.endpoint})
      </p>
      <p role="status" data-testid="reason">
        {describeState(delivery)}
      </p>
      <Waterfall
        {...(of && { of })}
        attempts={toShownAttempts(delivery)}
        next={nextAttemptAt === null ? null : Date.parse(nextAttemptAt)}
        now={world.clock.now()}
      />
      <div class="actions">
        {nextAttemptAt === null ? null : (
          <ActionForm
            to="clock/next"
            label="Advance to the next attempt"
            of={of}
            {...(nextKey && { shortcut: 'n' })}
            fields={{ ...fields, until: String(Date.parse(nextAttemptAt)) }}
            testid="advance-next"
          />
        )}
        <ReplayButtons to={to} of={of} fields={fields} keys={replayKeys} />
        {last === undefined ? null : (
          <ActionForm
            to="lab"
            label="To the signature lab"
            of={of}
            plain
            fields={{
              header: signatureOf(last.request.headers, world),
              body: last.request.body,
              known: delivery.endpoint,
            }}
          />
        )}
      </div>
      <EditAndReplay
        to={to}
        of={of}
        dataKey={`edit-${id}`}
        name="data"
        label="data, as JSON; the copy gets an id of its own"
        value={prettyJson(row.data)}
      />
    </section>
  );
};

const signatureOf = (headers: Readonly<Record<string, string>>, world: World): string =>
  headers[world.assume('signature-header')] ?? '';

/** Says what the last attempt's verdict means for the event. */
function describeState({ state, reason, attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (last?.endedAt === null) return `Attempt ${last.number} is under way.`;
  const said = reason === null ? '' : `${reason}.`;
  const status = last?.response?.status ?? 0;
  if (state === 'FAILED' && status >= 400 && status < 500) {
    return `${status} is a 4xx: rejected for good, the event is lost to this endpoint. Only a replay brings it back.`;
  }
  if (state === 'FAILED') return `${said} The event is lost to this endpoint. Only a replay brings it back.`;
  if (state === 'PENDING' && reason === null) return 'It waits for its first attempt.';
  return said;
}
