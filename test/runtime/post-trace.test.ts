/** `--debug` of the commands that send to an application: what goes there, and what comes back, without its secrets. */
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { deliver, eventBody, signatureOf, testSecret } from '../support/delivery.ts';
import { homeWithSecret, type Listening, listen } from '../support/listen.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { run } from '../support/run.ts';

let receiver: Receiver;
let listening: Listening | undefined;
afterEach(async () => {
  listening?.child.kill('SIGKILL');
  listening = undefined;
  await receiver.close();
});

/** Answers as an application does that tells more than it should. */
const talkative = (status: number) => (_: unknown, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json', 'set-cookie': 'CANARY' });
  response.end(JSON.stringify({ id: 'order_1', status: 'ok', customer: 'CANARY' }));
};

const own = ['--header', 'Authorization: Bearer CANARY', '--header', 'X-Shop: CANARY'];
/** Its lines, which hold nothing of the application's secrets and of ours. */
function traceIn(stderr: string): string[] {
  const lines = stderr.split('\n').filter((line) => /^[<>] /.test(line));
  for (const line of lines) for (const secret of ['CANARY', testSecret]) expect(line).not.toContain(secret);
  return lines;
}

async function started(...args: string[]) {
  receiver = await startReceiver(talkative(200));
  const home = homeWithSecret();
  const secret = ['--secret-file', `${home}/secret`];
  listening = await listen(home, ['--port', '0', ...secret, '-f', `${receiver.url}?token=CANARY`, ...args]);
  return { home, secret, ...listening };
}

it('listen shows each forward and its answer, by a number, and no secret of the application', async () => {
  const { url, line, stop, stderr } = await started('--debug', ...own);
  const body = JSON.stringify({
    ...JSON.parse(eventBody('evt_1')),
    data: { id: 'chg_1', customer: { name: 'CANARY' } },
  });
  const signature = signatureOf(body);
  await deliver(url, body, { 'Service-Signature': signature, Cookie: 'CANARY', 'X-Future': 'CANARY' });
  await line(({ type }) => type === 'event');
  expect(await stop()).toBe(130);
  const [sent = '', answered = '', ...more] = traceIn(stderr());
  expect(sent).toMatch(
    new RegExp(`^> POST ${receiver.url}\\?token=\\[redacted\\] #1 content-type: application/json; `),
  );
  expect(sent).toContain(`service-signature: ${signature}; `);
  for (const name of ['cookie', 'authorization', 'x-future', 'x-shop'])
    expect(sent).toContain(`${name}: [redacted]`);
  expect(sent).toContain(' {"id":"evt_1","event":"CHARGE_PAID"');
  expect(sent).toContain('"data":{"id":"chg_1","customer":"[redacted]"}');
  expect(answered).toMatch(
    /^< 200 #1 \(\d+ ms\) \{"id":"order_1","status":"ok","customer":"\[redacted\]"\}$/,
  );
  expect(more).toEqual([]);
  expect(receiver.received[0]?.headers.authorization).toBe('Bearer CANARY');
});

it('nothing of it is shown without --debug', async () => {
  const { url, line, stop, stderr } = await started(...own);
  await deliver(url, eventBody('evt_1'));
  await line(({ type }) => type === 'event');
  await stop();
  expect(traceIn(stderr())).toEqual([]);
});

it('replay shows the post, even one that reached nobody', async () => {
  const { home, secret, url, line, stop } = await started();
  await deliver(url, eventBody('evt_1'));
  await line(({ type }) => type === 'event');
  await stop();
  const replay = ['webhook', 'replay', 'evt_1', ...secret, ...own, '--retries', '0', '--debug'];
  const taken = await run([...replay, '-f', receiver.url], { home });
  expect(taken.code, taken.stderr).toBe(0);
  expect(traceIn(taken.stderr)).toEqual([
    expect.stringMatching(/^> POST \S+ #1 .*authorization: \[redacted\].*"id":"evt_1"/),
    expect.stringMatching(/^< 200 #1 \(\d+ ms\)/),
  ]);
  await receiver.close();
  const vain = await run([...replay, '-f', receiver.url], { home });
  expect(vain.code).toBe(83);
  expect(traceIn(vain.stderr)[1]).toMatch(/^< #1 \(\d+ ms\) refused the connection$/);
});

it('trigger and test show each post', async () => {
  receiver = await startReceiver();
  const env = { PIXCTL_WEBHOOK_SECRET: testSecret };
  receiver.otherwise = talkative(500);
  const trigger = [
    'webhook',
    'trigger',
    'CHARGE_PAID',
    '-f',
    receiver.url,
    '--times',
    '2',
    ...own,
    '--debug',
  ];
  const triggered = await run(trigger, { env });
  expect(traceIn(triggered.stderr).map((line) => line.slice(0, 8))).toEqual([
    '> POST h',
    '< 500 #1',
    '> POST h',
    '< 500 #2',
  ]);
  const tested = await run(['webhook', 'test', receiver.url, '--signature-header', 'X-Sign', '--debug'], {
    env,
  });
  const lines = traceIn(tested.stderr);
  expect(lines.filter((line) => line.startsWith('> POST'))).toHaveLength(receiver.received.length - 2);
  expect(lines[0]).toMatch(/ #1 .*x-sign: t=\d+,v1=[0-9a-f]{64}/);
});
