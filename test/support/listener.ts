/** The listener in this process, over a real inbox file; ended after each test. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Inbox, InboxEntry } from '../../src/inbox/inbox.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { type Listener, type ListenerOptions, startListener } from '../../src/listener/listen.ts';
import { parseTargets } from '../../src/listener/posting/targets.ts';
import type { Report } from '../../src/listener/report.ts';
import { testSecret } from './delivery.ts';

export interface Setup {
  readonly listener: Listener;
  readonly inbox: Inbox;
  readonly url: string;
  readonly reports: Report[];
  /** The first report that fits, now or later. */
  report(fits: (report: Report) => boolean): Promise<Report>;
  /** Ends the listener as the command does. */
  end(): Promise<void>;
}

let setup: Setup | null = null;
afterEach(async () => {
  await setup?.listener.stop();
  await setup?.inbox.close();
  setup = null;
});

export async function started(
  more: Partial<ListenerOptions> & {
    inbox?: Inbox;
    file?: string;
    forwardTo?: string | readonly string[];
  } = {},
  secrets: string[] | null = [testSecret],
): Promise<Setup> {
  const inbox = more.inbox ?? (await openInbox({ url: more.file ?? inboxFile(), clock: systemClock }));
  const reports: Report[] = [];
  let waiting: (() => void)[] = [];
  const listener = await startListener({
    store: inbox,
    clock: systemClock,
    host: '127.0.0.1',
    port: 0,
    path: null,
    signatureHeader: 'Service-Signature',
    toleranceMs: 300_000,
    targets: parseTargets({
      forwardTo: [more.forwardTo ?? []].flat(),
      routes: [],
      events: null,
      allowRemote: false,
    }),
    ack: 'store',
    concurrency: 4,
    forwardTimeoutMs: 5_000,
    onReport(report) {
      reports.push(report);
      for (const wake of waiting.splice(0)) wake();
    },
    onApplication: () => {},
    onTrouble: (cause) => {
      throw cause;
    },
    ...more,
  });
  if (secrets !== null) listener.setSecrets(secrets);
  setup = {
    listener,
    inbox,
    reports,
    url: `http://127.0.0.1:${listener.port}/`,
    async report(fits) {
      for (;;) {
        const found = reports.find(fits);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    async end() {
      setup = null;
      waiting = [];
      await listener.stop();
      await inbox.releaseAllClaims();
      await inbox.close();
    },
  };
  return setup;
}

export async function stored(inbox: Inbox): Promise<InboxEntry[]> {
  const entries: InboxEntry[] = [];
  for await (const entry of inbox.list()) entries.push(entry);
  return entries;
}

export const inboxFile = (): string => join(mkdtempSync(join(tmpdir(), 'pixctl-listen-')), 'inbox.sqlite');
