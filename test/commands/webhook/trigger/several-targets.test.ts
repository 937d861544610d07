/** `webhook trigger` to several applications: each event goes to all of them, and the exit code tells of each. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { problemOf } from '../../../../src/commands/webhook/trigger/judge.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { testSecret } from '../../../support/delivery.ts';
import { noSignals } from '../../../support/platform.ts';
import { run, start } from '../../../support/run.ts';

let one: Application;
let two: Application;
beforeEach(async () => {
  [one, two] = [await startApplication(), await startApplication()];
});
afterEach(async () => {
  await one.close();
  await two.close();
});

const env = { PIXCTL_WEBHOOK_SECRET: testSecret };
const args = (...more: string[]) => [
  'webhook',
  'trigger',
  'CHARGE_PAID',
  '-f',
  one.url,
  '-f',
  two.url,
  ...more,
];
const trigger = (...more: string[]) => run(args(...more), { env });
const rowsOf = ({ stdout }: { stdout: string }) => {
  const lines = stdout.trim().split('\n');
  return lines.map((line) => JSON.parse(line));
};

it('sends the same bytes to both, with a row for each', async () => {
  const triggered = await trigger('--times', '2', '-o', 'ndjson');
  expect(triggered.code).toBe(0);
  const ids = one.received.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(two.received.map(({ body }) => body)).toEqual(one.received.map(({ body }) => body));
  expect(rowsOf(triggered).map(({ id, url, status }) => [id, url, status])).toEqual([
    [ids[0], one.url, 200],
    [ids[0], two.url, 200],
    [ids[1], one.url, 200],
    [ids[1], two.url, 200],
  ]);
});

it('names both in a table, and an address that is given twice counts once', async () => {
  const { stdout } = await trigger('-f', one.url);
  expect(stdout.trim().split('\n').slice(1)).toHaveLength(2);
  expect(stdout).toContain(one.url);
  expect(stdout).toContain(two.url);
});

it('exits 83 when one refuses, and says which', async () => {
  two.answer = 500;
  const triggered = await trigger('-o', 'ndjson');
  expect(triggered.code).toBe(83);
  expect(rowsOf(triggered).map(({ status }) => status)).toEqual([200, 500]);
  const { error } = JSON.parse(triggered.stderr);
  expect(error).toMatchObject({ message: `${two.url} accepted 0 of 1 events: it answered 500.` });
});

it('exits 83 when one is not there: the other has the events, all of them', async () => {
  await one.down();
  const triggered = await trigger('--times', '3', '-o', 'ndjson');
  expect(triggered.code).toBe(83);
  expect(two.received).toHaveLength(3);
  expect(rowsOf(triggered).map(({ url }) => url)).toEqual([one.url, two.url, two.url, two.url]);
  expect(JSON.parse(triggered.stderr).error.message).toBe(
    `${one.url} accepted 0 of 3 events: it refused the connection.`,
  );
});

it('exits 75 when none of them is there', async () => {
  await one.down();
  await two.down();
  const { code, stderr } = await trigger('--times', '3');
  expect(code).toBe(75);
  for (const { url } of [one, two])
    expect(stderr).toContain(`Nothing was received at ${url}: it refused the connection.`);
});

it('says in a dry run to whom it would go', async () => {
  const { code, stderr } = await trigger('--dry-run');
  expect(code).toBe(0);
  expect(stderr).toContain(`This would be signed and sent to ${one.url} and ${two.url}. Nothing was sent.`);
  expect([one.received, two.received]).toEqual([[], []]);
});

it('refuses an address of another machine before anything is sent', async () => {
  const { code, stderr } = await trigger('-f', 'http://192.0.2.1/');
  expect(code).toBe(64);
  expect(stderr).toContain('--allow-remote');
  expect([one.received, two.received]).toEqual([[], []]);
});

it.skipIf(noSignals !== null)('counts what was sent to each when a signal ends it', async () => {
  two.answer = 'hang';
  const child = start(args('--timeout', '1h'), { env });
  child.stdin.end();
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await Promise.all([one.until(1), two.until(1)]);
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(said).toContain('2 of 2 deliveries were sent');
});

it('quotes the one that answered, not the one that was not there', () => {
  const row = { id: 'evt_1', event: 'CHARGE_PAID', ms: 1, status: null, error: 'refused the connection' };
  const refused = { ...row, url: 'http://b/', status: 401, error: null };
  const problem = problemOf(
    [
      { url: 'http://a/', rows: [{ ...row, url: 'http://a/' }], reached: false, answer: null },
      { url: 'http://b/', rows: [refused], reached: true, answer: 'who are you?' },
    ],
    1,
  );
  expect(problem?.kind).toBe('endedBadly');
  expect(problem?.hint).toMatch(/^It said "who are you\?"\. If it refuses the signature/);
});
