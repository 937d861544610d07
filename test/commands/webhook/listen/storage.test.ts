/** `webhook listen` whose inbox is taken away, cannot be written, or whose forwards are cut off. */
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/index.ts';
import { startApplication } from '../../../support/application.ts';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { homeWithSecret, type Listening, listen } from '../../../support/listen.ts';
import { noSignals, noTakingOpen, skipped } from '../../../support/platform.ts';
import { run } from '../../../support/run.ts';

let running: Listening | null = null;
afterEach(() => {
  running?.child.kill('SIGKILL');
  running = null;
});
const stateOf = (home: string) => `${home}/.local/state/pixctl`;
const started = async (home: string, args: readonly string[] = []) => {
  running = await listen(home, ['--port', '0', '--secret-file', `${home}/secret`, ...args]);
  return running;
};

describe('an inbox that is taken away while the listener runs', () => {
  it.skipIf(noTakingOpen !== null).each<[string, (home: string) => void]>([
    ['deleted', (home) => rmSync(stateOf(home), { recursive: true })],
    ['moved', (home) => renameSync(stateOf(home), `${stateOf(home)}.old`)],
  ])('%s: no 2xx for what is not kept, and the end is 74', async (_, harm) => {
    const home = homeWithSecret();
    const { url, exited, stderr, line } = await started(home);
    expect((await deliver(url, eventBody('evt_1'))).status).toBe(200);
    harm(home);
    expect((await deliver(url, eventBody('evt_2'))).status).toBe(500);
    expect(await line(({ type }) => type === 'rejected')).toMatchObject({
      ...{ reason: 'not-stored', answered: 500, verified: true, id: null },
      message: 'it is genuine, but could not be stored: the service tries three times in all',
    });
    expect(await exited).toBe(74);
    expect(stderr()).toContain('deleted, moved or emptied');
  });
});

it('an event whose row of ids is damaged is known when it comes again, and the damage is told once', async () => {
  const home = homeWithSecret();
  const first = await started(home);
  for (const id of ['evt_1', 'evt_2']) await deliver(first.url, eventBody(id));
  await first.stop();
  const database = new DatabaseSync(`${stateOf(home)}/inbox.sqlite`);
  database.exec("INSERT INTO inbox_ids (last, ids) VALUES (2, x'00')");
  database.close();
  const shown = await run(['webhook', 'inbox', 'show', 'evt_2', '-o', 'json'], { home });
  expect(JSON.parse(shown.stdout)).toMatchObject({ id: 'evt_2' });
  expect(shown.stderr).toBe('');
  const { url, line, stderr } = await started(home);
  for (const id of ['evt_1', 'evt_2', 'evt_3']) await deliver(url, eventBody(id));
  expect(await line(({ id }) => id === 'evt_1')).toMatchObject({ duplicate: true });
  expect(await line(({ id }) => id === 'evt_2')).toMatchObject({ duplicate: true });
  expect(await line(({ id }) => id === 'evt_3')).toMatchObject({ duplicate: false });
  expect(stderr().match(/were damaged; they were rebuilt/g)).toHaveLength(1);
});

it.skipIf(noTakingOpen !== null)(
  skipped('an inbox that is taken away while --poll runs ends it with 74 too', noTakingOpen),
  async () => {
    const sandbox = await startSandbox();
    const home = homeWithSecret();
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    running = await listen(home, ['--port', '0', '--poll', '1s'], env);
    rmSync(stateOf(home), { recursive: true });
    expect(await running.exited).toBe(74);
    expect(running.stderr()).toContain('deleted, moved or emptied');
    await sandbox.close();
  },
);

const isRoot = process.getuid?.() === 0;
it.skipIf(isRoot)(
  `an inbox that cannot be written is told before anything is promised${isRoot ? ' (skipped: root may write it)' : ''}`,
  async () => {
    const home = homeWithSecret();
    await run(['webhook', 'inbox'], { home });
    chmodSync(`${stateOf(home)}/inbox.sqlite`, 0o400);
    const args = ['--port', '0', '--secret-file', `${home}/secret`, '-o', 'ndjson'];
    const result = await run(['webhook', 'listen', ...args], { home });
    expect(result).toMatchObject({ code: 74, stdout: '' });
  },
);

it.skipIf(noSignals !== null)(
  skipped('tells every event that it answered, also those whose forward it cut off at the end', noSignals),
  async () => {
    const home = homeWithSecret();
    const application = await startApplication();
    application.answer = 'hang';
    const { url, lines, stop } = await started(home, ['-f', String(application.port), '--concurrency', '2']);
    const ids = ['evt_1', 'evt_2', 'evt_3', 'evt_4'];
    await Promise.all(ids.map((id) => deliver(url, eventBody(id))));
    await application.until(2);
    expect(await stop('SIGTERM')).toBe(143);
    const told = lines.filter(({ type }) => type === 'event');
    expect(told.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(told.map(({ state }) => state)).toEqual(ids.map(() => 'WAITING'));
    // Two were sent, and two waited for their place.
    expect(told.filter(({ cutOff }) => cutOff === true)).toHaveLength(2);
    expect(told.filter(({ forward }) => forward === null)).toHaveLength(2);
    await application.close();
  },
);
