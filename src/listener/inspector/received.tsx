/** One received event: as it came, each attempt to forward it, and replaying it. */
import { isSuccessStatus } from '../../forward/forward.ts';
import { prettyJson, type ShownAttempt } from '../../page/attempt.ts';
import { Compare } from '../../page/compare.tsx';
import { formatCurl } from '../../page/curl.ts';
import { Code, Copy, Detail } from '../../page/detail.tsx';
import { ActionForm } from '../../page/form.tsx';
import { pageSize } from '../../page/list.tsx';
import { Moment } from '../../page/moment.tsx';
import { EditAndReplay, ReplayButtons } from '../../page/replay.tsx';
import { Waterfall } from '../../page/waterfall.tsx';
import { formatTarget } from '../posting/target.ts';
import type { Attempt, InboxEvent } from '../store.ts';
import type { InspectorDependencies } from './dependencies.ts';
import { type ReplayAddress, replayAddressesOf, secretOf } from './replay.ts';
import { toShownBody } from './shown-body.ts';
import { formatOutcome, State } from './state.tsx';

interface ReceivedProps {
  readonly event: InboxEvent;
  readonly attempts: readonly Attempt[];
  readonly dependencies: InspectorDependencies;
  readonly chosen: readonly [string | undefined, string | undefined];
}

export const ReceivedDetail = ({ event, attempts, dependencies, chosen }: ReceivedProps) => {
  const { clock, signatureHeader } = dependencies;
  const { text, isComplete, exact } = toShownBody(event.body);
  const show = `pixctl webhook show ${event.key} --body`;
  const signature = event.headers
    .filter(([name]) => name.toLowerCase() === signatureHeader.toLowerCase())
    .map(([, value]) => value)
    .join(', ');
  const t = /(?:^|,)\s*t=(\d+)/.exec(signature)?.[1];
  const shown = attempts.slice(-pageSize).map((attempt) => toShownAttempt(attempt, event));
  const older = attempts.length - shown.length;
  const to = `events/${encodeURIComponent(event.key)}`;
  const addresses = replayAddressesOf(dependencies.targets, event, attempts);
  const url = addresses.find((address) => typeof address === 'string') ?? 'http://127.0.0.1:3000/';
  const owner = ownerOf(dependencies, event);
  const line = formatCurl({
    method: 'POST',
    url,
    headers: event.headers.filter(([name]) => !hopByHop.test(name)),
    body: exact,
    keyed: false,
  });
  return (
    <Detail
      title={event.event || '(no event name)'}
      badge={<State state={event.state} />}
      back={{ path: 'inbox', label: 'Inbox' }}
      actions={
        <>
          <ReplayButtons to={to} tone="main" />
          <ActionForm
            to="lab"
            label="To the signature lab"
            plain
            fields={{
              header: signature,
              known: event.source,
              ...(exact === null ? { kept: event.key } : { body: exact }),
            }}
          />
          <Copy
            what="as curl"
            label="Copy as curl"
            text={exact === null ? `${show} | ${line} --data-binary @-` : line}
          />
        </>
      }
      facts={[
        ['Event id', <span class="mono">{event.eventId}</span>],
        ['Received', <Moment at={event.receivedAt} />],
        ['Came again', timesOf(event.duplicates)],
        ['A replay goes to', addresses.map(addressInWords).join(', ')],
        ['Made', event.origin === 'delivery' ? 'by the service' : `here (${event.edits ?? event.origin})`],
      ]}
    >
      <p role="status" data-testid="reason">
        {describeStates(event, owner, dependencies.ack)}
      </p>
      {older === 0 ? null : (
        <p class="dim" data-testid="unseen">
          Its newest {pageSize} attempts are shown; there{' '}
          {older === 1 ? 'is 1 older one' : `are ${older} older ones`}.
        </p>
      )}
      <Waterfall attempts={shown} next={owner === 'this' ? event.nextAt : null} now={clock.now()} />
      <Compare attempts={shown} chosen={chosen} path={to} />
      <div class="pair">
        <Code label="Headers" text={event.headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />
        <Code
          label={isComplete ? 'Body, indented' : 'Body, its beginning'}
          text={isComplete ? prettyJson(text) : text}
        />
      </div>
      {exact === null ? (
        <p class="dim" data-testid="bytes">
          The body is {event.body.byteLength} bytes{isComplete ? ', not all of which are text to copy' : ''}.{' '}
          <code>{show}</code> prints them as they came.
        </p>
      ) : null}
      {t === undefined || exact === null ? null : (
        <Code label="Signature base string" text={`${t}.${exact}`} />
      )}
      {isComplete ? (
        <EditAndReplay
          to={to}
          dataKey="edit"
          name="body"
          label="Body, as JSON; the copy is signed again"
          value={prettyJson(text)}
        />
      ) : null}
    </Detail>
  );
};

/** Headers that belong to one connection and not to the message. */
const hopByHop = /^(host|connection|content-length|transfer-encoding|keep-alive)$/i;

/** Each of several applications has attempts of its own, numbered from 1. */
const toShownAttempt = (attempt: Attempt, { targets }: InboxEvent): ShownAttempt => ({
  key: targets === undefined ? String(attempt.number) : `${attempt.number}-${attempt.url}`,
  label: `attempt ${attempt.number}${targets === undefined ? '' : ` (${formatTarget(attempt.url)})`}`,
  startedAt: attempt.startedAt,
  endedAt: attempt.startedAt + attempt.ms,
  durationMs: attempt.ms,
  tone: isSuccessStatus(attempt.status) ? 'good' : 'bad',
  outcome: attempt.status === null ? 'no answer' : `HTTP ${attempt.status}`,
  reason: attempt.error === null ? '' : `your application ${attempt.error}`,
  request: null,
  signedText: null,
  response:
    attempt.status === null
      ? null
      : {
          line: `HTTP ${attempt.status}`,
          headers: [],
          body: attempt.answer === null ? notKept(attempt.status) : prettyJson(attempt.answer),
        },
  remarks: [
    `to ${attempt.url}`,
    `with ${attempt.signature === 'fresh' ? 'a fresh' : 'the original'} signature`,
  ],
});

const notKept = (status: number): string =>
  isSuccessStatus(status) ? '(the body of a 2xx is not kept)' : '(no body)';

const timesOf = (count: number): string => (count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`);

const addressInWords = (address: ReplayAddress): string =>
  typeof address === 'string' ? address : address === null ? 'nowhere (no --forward-to)' : address.refused;

/**
 * Which listener forwards it. This one forwards only what came under its secrets and has an address here, or several of
 * its own.
 */
type Owner = 'this' | 'other-secret' | 'other-address';

function ownerOf(
  dependencies: InspectorDependencies,
  { source: signer, event, origin, targets: several }: InboxEvent,
): Owner {
  if (secretOf(dependencies, signer) === null) return 'other-secret';
  const { targets } = dependencies;
  const isForwarded = several === undefined ? targets.forEvent(event) !== null : targets.all.length > 0;
  return origin === 'edited' || isForwarded ? 'this' : 'other-address';
}

function describeStates(
  { targets, ...event }: InboxEvent,
  owner: Owner,
  ack: InspectorDependencies['ack'],
): string {
  if (targets === undefined) return describeState(event, owner, ack);
  return targets
    .map((owed) => `${formatTarget(owed.target)}: ${describeState({ ...event, ...owed }, owner, ack)}`)
    .join(' ');
}

function describeState(event: InboxEvent, owner: Owner, ack: InspectorDependencies['ack']): string {
  const last = formatOutcome(event);
  switch (event.state) {
    case 'NONE':
      return 'It is stored. No answer of an application is recorded.';
    case 'WAITING':
      return describeWaiting(owner, last);
    case 'DELIVERED':
      return `Your application accepted it with ${last}.`;
    case 'GIVEN_UP':
      if (ack === 'app' && isDeliveredAgain(event))
        return `Last: ${last}. The service was told so, and delivers it again (3 attempts in all); a replay sends it, too.`;
      return `Last: ${last}. No further attempt is planned; it stays in the inbox, and a replay sends it.`;
  }
}

/**
 * Whether the service tries again after an answer (document: "Retry policy"). About a redirect the document says
 * nothing.
 */
const isDeliveredAgain = ({ origin, attempts, status }: InboxEvent): boolean =>
  origin === 'delivery' && attempts < 3 && (status === null || status < 300 || status >= 500);

function describeWaiting(owner: Owner, last: string): string {
  const before = last === '' ? '' : `Last: ${last}. `;
  switch (owner) {
    case 'this':
      return last === ''
        ? 'It still has to be forwarded to your application.'
        : `${before}It will be forwarded to your application again.`;
    case 'other-secret':
      return `${before}It came under another secret: a listener with that secret forwards it, and so does a replay.`;
    case 'other-address':
      return `${before}This listener does not forward such events: one that does forwards it.`;
  }
}
