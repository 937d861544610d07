/**
 * Serves the inspector: a page about what this listener received, on a port of its own. A tunnel leads to the
 * listener's port and so never to this one.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { PixctlError } from '../../errors.ts';
import { List } from '../../page/list.tsx';
import { Moment } from '../../page/moment.tsx';
import { createPages } from '../../page/pages.tsx';
import { parseLabForm, SignatureLab } from '../../page/signature-lab.tsx';
import { fingerprint } from '../event-facts.ts';
import { withHeaders } from '../posting/extra-headers.ts';
import { createPost, type PostTrace } from '../posting/post.ts';
import type { RejectedReport, Report } from '../report.ts';
import type { Headers } from '../store.ts';
import type { InspectorDependencies } from './dependencies.ts';
import { inboxPages, requireReceivedEvent } from './inbox.tsx';

interface InspectorOptions extends Omit<InspectorDependencies, 'post' | 'signal'> {
  /** The user's own headers, sent with every replay. */
  readonly headers: Headers;
  /** `--debug`: is told about each replay. */
  readonly trace?: PostTrace | undefined;
  readonly onTrouble: (cause: unknown) => void;
}

export interface Inspector {
  /** Its address, token included. */
  readonly url: string;
  /** Takes everything that the listener reports. */
  note(report: Report): void;
  close(): Promise<void>;
}

const base = '/inspector';
const sections = [
  { path: 'inbox', label: 'Inbox', shortcut: '1' },
  { path: 'refused', label: 'Refused', shortcut: '2' },
  { path: 'lab', label: 'Signature lab', shortcut: '3' },
] as const;

interface RefusedDelivery {
  readonly number: number;
  readonly at: number;
  readonly report: RejectedReport;
}

/**
 * How many refused deliveries are kept. They are not stored, so the last ones stay here, without what they claim to be.
 */
const keptRefusals = 50;

export async function startInspector(options: InspectorOptions): Promise<Inspector> {
  const { clock, secrets, onTrouble } = options;
  const token = randomBytes(24).toString('base64url');
  const { post, close: closePost } = createPost(clock, { connections: 4, trace: options.trace });
  const ending = new AbortController();
  let version = 0;
  let refused: readonly RefusedDelivery[] = [];
  const changed = () => {
    version += 1;
  };
  const shown = createPages({
    name: 'pixctl webhook listen',
    base,
    token,
    sections,
    shownClock: () => ({ now: clock.now(), running: true, mode: 'real' }),
    machine: clock,
    versions: () => ({ inbox: version }),
    describeError: (error) =>
      error instanceof PixctlError
        ? { status: error.httpStatus ?? 400, message: [error.message, error.hint].filter(Boolean).join(' ') }
        : null,
    onError: onTrouble,
  });
  inboxPages(shown, { ...options, post: withHeaders(post, options.headers), signal: ending.signal }, changed);
  const lab = async (fields: Record<string, unknown>) => {
    const form = parseLabForm(fields);
    return (
      <SignatureLab
        to="lab"
        form={form}
        secrets={new Map(secrets().map((secret) => [fingerprint(secret), secret]))}
        kept={form.kept === '' ? undefined : (await requireReceivedEvent(options.store, form.kept)).body}
        now={clock.now()}
      />
    );
  };
  const labView = { title: 'Signature lab', section: 'lab', topics: ['clock'], still: true };
  shown.routes
    .get('/refused', (context) =>
      shown.show(
        context,
        { title: 'Refused', section: 'refused', topics: ['inbox'] },
        <RefusedList items={refused} />,
      ),
    )
    .get('/lab', async (context) => shown.show(context, labView, await lab({})))
    .post('/lab', async (context) => shown.show(context, labView, await lab(await context.req.parseBody())));

  const server = createServer(getRequestListener(shown.routes.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}/?token=${token}`,
    note(report) {
      changed();
      if (report.type !== 'rejected') return;
      refused = [{ number: version, at: clock.now(), report }, ...refused].slice(0, keptRefusals);
    },
    close: () =>
      new Promise((resolve) => {
        ending.abort();
        closePost();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const RefusedList = ({ items }: { items: readonly RefusedDelivery[] }) => (
  <>
    <h1>Refused</h1>
    <p class="dim">
      The last {keptRefusals}; they are not stored, and what they claim to be is not repeated.
    </p>
    <List
      name="Refused"
      items={items}
      keyOf={({ number }) => `refused-${number}`}
      empty={<p>None was refused.</p>}
      columns={[
        { header: 'Why', cell: ({ report }) => report.message },
        { header: 'Answered', kind: 'end', cell: ({ report }) => report.answered },
        { header: 'Kind', kind: 'wide', cell: ({ report }) => <code>{report.reason}</code> },
        { header: 'At', kind: 'wide', cell: ({ at }) => <Moment at={at} /> },
      ]}
    />
  </>
);
