/** `webhook inbox prune --target`: an application that is gone is let go of, and only then. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../support/application.ts';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { homeWithSecret, type Listening, listen } from '../../../support/listen.ts';
import { run } from '../../../support/run.ts';

let good: Application;
let gone: Application;
let home: string;
beforeEach(async () => {
  [good, gone] = [await startApplication(), await startApplication()];
  home = homeWithSecret();
  await gone.down();
});
afterEach(() => good.close());

const listenTo = (...targets: string[]): Promise<Listening> =>
  listen(home, [
    ...['--secret-file', `${home}/secret`, '--port', '0'],
    ...targets.flatMap((target) => ['-f', target]),
  ]);

const webhook = (...args: string[]) => run(['webhook', ...args], { home });
const prune = (...args: string[]) => webhook('inbox', 'prune', '--target', String(gone.url), ...args);
const inbox = async (...args: string[]) =>
  JSON.parse((await webhook('inbox', ...args, '-o', 'json')).stdout).map(
    ({ id, state }: { id: string; state: string }) => `${id} ${state}`,
  );

/** Two events, which the one application has and the other, which is gone, has not. */
const received = async (): Promise<void> => {
  const listening = await listenTo(good.url, gone.url);
  for (const id of ['evt_1', 'evt_2']) {
    await deliver(listening.url, eventBody(id));
    await listening.line((line) => line.id === id && line.state === 'DELIVERED');
  }
  await listening.stop();
};

it('counts in a dry run, lets go with --yes, and nothing waits any more', async () => {
  await received();
  expect(await inbox('--status', 'waiting')).toEqual(['evt_2 WAITING', 'evt_1 WAITING']);
  const dry = await prune('--dry-run');
  expect(dry.code).toBe(0);
  expect(dry.stderr).toContain(
    `Would let go of 2 events that ${gone.url} has not accepted. Nothing was removed.`,
  );
  const pruned = await prune('--yes', '-o', 'json');
  expect(pruned.code).toBe(0);
  expect(JSON.parse(pruned.stdout)).toMatchObject({
    ...{ removed: 2, state: null, target: gone.url, before: null },
  });
  expect(await inbox()).toEqual(['evt_2 DELIVERED', 'evt_1 DELIVERED']);
  expect((await webhook('replay', '--failed')).stderr).toContain('No event matches');
  expect(JSON.parse((await prune('-o', 'json')).stdout)).toMatchObject({ removed: 0 });
  expect(good.received).toHaveLength(2);
});

it('asks first: without an answer nothing is let go', async () => {
  await received();
  const { code, stderr } = await prune();
  expect(code).toBe(64);
  expect(stderr).toContain('Missing: --yes');
  expect(stderr).toContain(`Let go of 2 events that ${gone.url} has not accepted?`);
  expect(await inbox()).toEqual(['evt_2 WAITING', 'evt_1 WAITING']);
});

it('refuses while a running listener forwards there, also if it was killed before and started again', async () => {
  await received();
  const listening = await listenTo(good.url, gone.url);
  const refused = await prune('--yes');
  expect(refused.code).toBe(87);
  expect(refused.stderr).toContain(`A running listener forwards to ${gone.url}. Nothing was removed.`);
  await listening.stop('SIGKILL');
  const others = await listenTo(good.url);
  expect((await prune('--yes')).code).toBe(0);
  expect(await inbox('--status', 'waiting')).toEqual([]);
  expect(await others.stop()).toBe(130);
  expect(others.stderr()).toContain('Stopped: no event is waiting to be forwarded');
});

it('--older-than leaves what came later; --status does not go with it', async () => {
  await received();
  const young = await prune('--yes', '--older-than', '1h', '-o', 'json');
  expect(JSON.parse(young.stdout)).toMatchObject({ removed: 0, before: expect.any(String) });
  expect(await inbox('--status', 'waiting')).toHaveLength(2);
  const both = await prune('--yes', '--status', 'given-up');
  expect(both.code).toBe(64);
  expect(both.stderr).toContain('--target and --status contradict each other');
});

it('a listener that no longer names it says what waits for it, and how to let go of that', async () => {
  await received();
  const listening = await listenTo(good.url);
  expect(listening.ready.waiting).toBe(2);
  expect(await listening.stop()).toBe(130);
  const place = `127.0.0.1:${gone.port}/hook`;
  expect(listening.stderr()).toContain(
    `2 of them go to ${gone.url}, which an earlier run named and this one does not. If that application is gone: pixctl webhook inbox prune --target ${place}`,
  );
  expect(listening.stderr()).toContain('2 forwards not yet accepted by your applications');
});
