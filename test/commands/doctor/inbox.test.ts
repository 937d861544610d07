/** What `doctor` says of the inbox, and of events that have waited long for one of several applications. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { openInbox } from '../../../src/inbox/open.ts';
import { skipped } from '../../support/platform.ts';
import { type Postgres, postgresMissing, startPostgres } from '../../support/postgres.ts';
import { emptyHome, run } from '../../support/run.ts';

const hour = 3_600_000;
let server: Postgres;
beforeAll(async () => {
  if (postgresMissing === null) server = await startPostgres();
});
afterAll(() => server?.stop());

type Found = [state: string, found: string, remedy: string | null];

/** Where an inbox is, and what `doctor` has found of it. */
interface Place {
  readonly url: string;
  /** As `doctor` calls it. */
  readonly location: unknown;
  found(check?: string): Promise<Found[]>;
}

const placeOf = (url: string, location: unknown, home: string, env: Record<string, string>): Place => ({
  ...{ url, location },
  async found(check = 'inbox') {
    const { stdout } = await run(['doctor', '--offline', '-o', 'json'], { home, env });
    const all = JSON.parse(stdout) as Record<'check' | 'state' | 'found' | 'remedy', string>[];
    return all
      .filter((finding) => finding.check === check)
      .map(({ state, found, remedy }) => [state, found, remedy] as Found);
  },
});

const inFile = async (): Promise<Place> => {
  const home = emptyHome();
  const path = join(home, '.local/state/pixctl/inbox.sqlite');
  return placeOf(path, path, home, {});
};

const inPostgres = async (): Promise<Place> => {
  const url = await server.createDatabase();
  return placeOf(url, expect.stringMatching(/^the database t\d+ on /), emptyHome(), {
    PIXCTL_LEDGER_URL: url,
  });
};

const receive = async (url: string, hoursAgo: number, eventId: string, targets: readonly string[]) => {
  const clock = { ...systemClock, now: () => systemClock.now() - hoursAgo * hour };
  const inbox = await openInbox({ url, clock });
  const [target, ...others] = targets;
  await inbox.add({
    ...{ source: 'signer-1', eventId, event: 'CHARGE_PAID', headers: [], origin: 'delivery' },
    ...{ body: new TextEncoder().encode('{}'), forward: 'leave' },
    ...(target === undefined ? {} : { target }),
    further: others.map((other) => ({ target: other, forward: 'leave' })),
  });
  await inbox.close();
};

describe.each([
  ['sqlite', inFile, null],
  ['postgres', inPostgres, postgresMissing],
] as const)('%s', (_, place, missing) => {
  it.skipIf(missing !== null)(
    skipped(
      'names the application, and how to let go of it; but nothing of what any listener will forward',
      missing,
    ),
    async () => {
      const { url, location, found } = await place();
      await receive(url, 23, 'evt_1', ['http://localhost:3000/', 'http://localhost:4000/hooks']);
      await receive(url, 48, 'evt_2', []);
      expect(await found()).toEqual([['ok', location, null]]);
      await receive(url, 25, 'evt_3', ['http://localhost:5000/', 'http://localhost:4000/hooks']);
      const [first, ...others] = await found();
      expect(first).toEqual(['ok', location, null]);
      expect(others).toEqual([
        [
          'warning',
          expect.stringMatching(
            /^http:\/\/localhost:4000\/hooks has not accepted 2 events, the oldest since 20/,
          ),
          'Start that application, and pixctl webhook listen. If it is gone: pixctl webhook inbox prune --target 4000/hooks',
        ],
        [
          'warning',
          expect.stringMatching(/^http:\/\/localhost:5000\/ has not accepted 1 event, /),
          expect.any(String),
        ],
      ]);
    },
  );

  it.skipIf(missing !== null)(skipped('makes no inbox where there is none', missing), async () => {
    const { url, found } = await place();
    const none = [['ok', 'none yet: the first webhook listen creates it', null]];
    expect([await found(), await found()]).toEqual([none, none]);
    if (missing === null && url.startsWith('postgres'))
      expect(server.sql("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'inbox%'", url)).toMatch(
        /^\s*0\s*$/m,
      );
  });
});

it.skipIf(postgresMissing !== null)(
  skipped('a server that cannot be reached is reported once, with the ledger', postgresMissing),
  async () => {
    const { found } = placeOf('', '', emptyHome(), { PIXCTL_LEDGER_URL: 'postgres://127.0.0.1:1/none' });
    expect(await found()).toEqual([]);
    expect(await found('ledger')).toMatchObject([['wrong', expect.any(String), expect.any(String)]]);
  },
);
