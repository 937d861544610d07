/** What was asked of the documented plane: the last 500 requests, to inspect and repeat. */
import { prettyJson } from '../../page/attempt.ts';
import { formatCurl } from '../../page/curl.ts';
import { Badge, Code, Copy, Detail } from '../../page/detail.tsx';
import { List, pageSize } from '../../page/list.tsx';
import { Moment } from '../../page/moment.tsx';
import type { Pages } from '../../page/pages.tsx';
import type { Assembly } from '../assembly.ts';
import { Refusal } from '../rules/refusal.ts';
import type { LoggedRequest } from '../wire/logged-request.ts';
import { pageLinks, readBefore } from './facts.ts';
import { pixctlCommandOf } from './pixctl-command.ts';

export function requestPages({ routes, show }: Pages, { log }: Pick<Assembly, 'log'>): void {
  const all = () => log.list();
  routes
    .get('/requests', (context) => {
      const before = readBefore(context);
      const items = all()
        .filter(({ number }) => before === null || number < before)
        .slice(0, pageSize);
      const screen = { title: 'Requests', section: 'requests', topics: ['requests', 'clock'] };
      return show(context, screen, <Requests {...{ items, before }} />);
    })
    .get('/requests/:number', (context) => {
      const entry = all().find(({ number }) => String(number) === context.req.param('number'));
      if (entry === undefined) throw new Refusal('NOT_FOUND', 'this request is no longer kept');
      const { origin } = new URL(context.req.url);
      const screen = { title: `Request ${entry.number}`, section: 'requests', topics: ['clock'] };
      return show(context, screen, <RequestDetail {...{ entry, origin }} />);
    });
}

const statusTone = (status: number | null) =>
  status === null || status >= 500 ? 'bad' : status >= 400 ? 'wait' : 'good';
const statusBadge = ({ status }: LoggedRequest) => (
  <Badge tone={statusTone(status)}>{status ?? 'no answer'}</Badge>
);

const Requests = ({ items, before }: { items: readonly LoggedRequest[]; before: number | null }) => (
  <>
    <h1>Requests</h1>
    <List
      name="Requests"
      items={items}
      keyOf={({ number }) => `request-${number}`}
      href={({ number }) => `requests/${number}`}
      {...pageLinks('requests', before, items, 'number')}
      empty={<p>No request yet.</p>}
      columns={[
        { header: 'Request', cell: ({ method, target }) => `${method} ${target}` },
        { header: 'Answer', cell: statusBadge },
        { header: 'Operation', kind: 'wide', cell: ({ operation }) => operation ?? 'none' },
        { header: 'Faults', kind: 'wide', cell: ({ faults }) => faults.join(', ') },
        { header: 'At', kind: 'wide', cell: ({ at }) => <Moment at={at} /> },
      ]}
    />
  </>
);

const RequestDetail = ({ entry, origin }: { entry: LoggedRequest; origin: string }) => {
  const { method, target, request, answer } = entry;
  const asPixctl = pixctlCommandOf(entry);
  const isPath = target.startsWith('/');
  const asCurl = formatCurl({
    method,
    url: origin + (isPath ? target : '/'),
    target: isPath ? undefined : target,
    headers: request === null ? [] : [['Content-Type', 'application/json']],
    body: request,
    keyed: true,
  });
  return (
    <Detail
      title={
        <span class="mono">
          {method} {target}
        </span>
      }
      badge={statusBadge(entry)}
      back={{ path: 'requests', label: 'Requests' }}
      actions={
        <>
          <Copy text={asCurl} what="as curl" label="Copy as curl" />
          {asPixctl && <Copy text={asPixctl} what="as pixctl" label="Copy as pixctl" />}
        </>
      }
      facts={[
        ['At', <Moment at={entry.at} />],
        ['Operation', entry.operation ?? 'not one that the document shows'],
        ['Merchant', entry.merchantId ?? 'not known'],
        ['Rests on', entry.assumptions.join(', ') || 'only the document'],
        ['Faults', entry.faults.join(', ') || 'none'],
      ]}
    >
      <div class="pair">
        <Code label="Sent" text={request === null ? '' : prettyJson(request)} />
        <Code label="Answered" text={answer === null ? '' : prettyJson(answer)} />
      </div>
      <Code label="curl" text={asCurl} />
      {asPixctl && <Code label="pixctl" text={asPixctl} />}
    </Detail>
  );
};
