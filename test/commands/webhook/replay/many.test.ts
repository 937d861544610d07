/** A replay of many events: how many are under way, in which order, and what a signal leaves. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { type Application, startApplication } from '../../../support/application.ts';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { homeWithSecret, listen } from '../../../support/listen.ts';
import { noSignals } from '../../../support/platform.ts';
import { alwaysAnswering } from '../../../support/receiver.ts';
import { run, start } from '../../../support/run.ts';

const ids = Array.from({ length: 30 }, (_unset, at) => `evt_${String(at + 1).padStart(2, '0')}`);

/** Thirty events that no listener forwarded, and an application that takes a while for each. */
async function received() {
  const home = homeWithSecret();
  const listener = await listen(home, ['--port', '0', '--secret-file', `${home}/secret`]);
  for (const id of ids) await deliver(listener.url, eventBody(id));
  await listener.stop();
  const application = await startApplication();
  const replay = (...args: string[]) => [
    ...['webhook', 'replay', ...args, '-f', String(application.port)],
    ...['--secret-file', `${home}/secret`, '-o', 'ndjson'],
  ];
  return { home, application, replay };
}

const came = ({ received }: Application) => received.map(({ id }) => id);

it.skipIf(noSignals !== null)(
  'ten are under way to an address, the oldest, and a signal leaves true counts and records',
  async () => {
    const { home, application, replay } = await received();
    application.answer = (id) => (id <= 'evt_05' ? 200 : 'hang');
    const child = start(replay('--since', '1d'), { home });
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const code = new Promise((resolve) => child.once('close', resolve));
    // Five are answered, and ten that hang take up all places.
    await application.until(15);
    child.kill('SIGINT');
    expect(await code).toBe(130);
    expect(said).toContain('Stopped by SIGINT: 5 of 30 were accepted with 2xx.');
    expect(came(application).sort()).toEqual(ids.slice(0, 15));
    const { stdout } = await run(['webhook', 'inbox', '-o', 'json'], { home });
    const entries = JSON.parse(stdout) as { id: string; state: string; attempts: number }[];
    const those = (state: string) => entries.filter((entry) => entry.state === state).map(({ id }) => id);
    expect(those('DELIVERED').reverse()).toEqual(ids.slice(0, 5));
    expect(those('GIVEN_UP').reverse()).toEqual(ids.slice(5, 15));
    expect(those('NOT_FORWARDED').reverse()).toEqual(ids.slice(15));
    expect(entries.map(({ attempts }) => attempts).reverse()).toEqual(ids.map((_, at) => (at < 15 ? 1 : 0)));
    await application.close();
  },
);

it('all are sent once, each with a line of its own', async () => {
  const { home, application, replay } = await received();
  application.answer = (id) => (id === 'evt_07' ? 500 : 200);
  const { code, stdout, stderr } = await run(replay('--last', '30', '--concurrency', '4'), { home });
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id).sort()).toEqual(ids);
  expect(came(application).sort()).toEqual(ids);
  expect({ code, stderr }).toEqual({
    code: 83,
    stderr: expect.stringContaining('1 of 30 were not accepted with 2xx.'),
  });
  await application.close();
});

it('what was sent and could not be recorded is told, of many the first five by name', async () => {
  const { home, application, replay } = await received();
  const answer = Promise.withResolvers<number>();
  let asked = 0;
  const receiver = await alwaysAnswering(() => {
    asked += 1;
    if (asked < 10) return answer.promise;
    const database = new DatabaseSync(join(home, '.local/state/pixctl/inbox.sqlite'));
    database.exec('DROP TABLE inbox_attempt');
    database.close();
    answer.resolve(200);
    return 200;
  });
  const { code, stderr } = await run(
    replay('--last', '30').map((arg) => (arg === String(application.port) ? receiver.url : arg)),
    { home },
  );
  expect(code).toBe(1);
  const five = Array.from({ length: 5 }, () => 'evt_\\d+ was answered with 200').join('; ');
  expect(stderr).toMatch(
    new RegExp(
      `got to 10 of 30, and 0 were accepted with 2xx and recorded; ${five}; and 5 more\\. The tables`,
    ),
  );
  expect(receiver.received).toHaveLength(10);
  await receiver.close();
  await application.close();
});

it.each([
  ['named ids', ids.toReversed(), ids.toReversed()],
  ['those of --contains, the oldest first', ['--contains', 'chg_1'], ids],
])('%s go one after another, in their order', async (_, choice, order) => {
  const { home, application, replay } = await received();
  const { code, stdout } = await run(replay(...choice), { home });
  expect(code).toBe(0);
  expect(came(application)).toEqual(order);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id),
  ).toEqual(order);
  await application.close();
});

it.skipIf(noSignals !== null)(
  'while one of several named ids is under way, the next is not sent',
  async () => {
    const { home, application, replay } = await received();
    application.answer = 'hang';
    const child = start(replay('evt_03', 'evt_01', '--forward-timeout', '1h'), { home });
    await application.until(1);
    const code = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    expect(await code).toBe(130);
    expect(came(application)).toEqual(['evt_03']);
    await application.close();
  },
);
