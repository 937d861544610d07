/** `listen --poll` at a service whose lists show less than the sandbox's do. */
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/index.ts';
import { startApplication } from '../../../support/application.ts';
import { freePort } from '../../../support/free-port.ts';
import { hostileServer, json, someCharge, success } from '../../../support/hostile-server.ts';
import { listen } from '../../../support/listen.ts';
import { listenOnLoopback } from '../../../support/listen-on-loopback.ts';
import { emptyHome, run } from '../../../support/run.ts';

it('says once that withdrawals without an id become no events, and goes on with the charges', async () => {
  await using sandbox = await startSandbox({ withdrawals: 'immediate', merchant: { available: 100_000 } });
  const authorization = `Bearer ${sandbox.apiKey}`;
  const post = async (path: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await answer.json()) as { data: { id: string } }).data;
  };
  await post('/withdrawals', { amount: 500, pixKey: '12345678909', pixKeyType: 'CPF' });
  const { id } = await post('/transparents/create', { method: 'PIX', amount: 1_050 });
  let rounds = 0;
  // The sandbox, but for the id, which the document does not show.
  const service = createServer(async (request, response) => {
    const answer = await fetch(sandbox.url + request.url, { headers: { authorization } });
    const body = (await answer.json()) as { data: { id?: string }[] };
    if (request.url?.startsWith('/withdrawals')) {
      for (const withdrawal of body.data) delete withdrawal.id;
      rounds += 1;
      if (rounds === 3) sandbox.pay(id);
    }
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  });
  const port = await listenOnLoopback(service);
  try {
    const env = { PIXCTL_BASE_URL: `http://127.0.0.1:${port}`, PIXCTL_API_KEY: sandbox.apiKey };
    const flags = ['--poll', '1s', '--since', '1h', '--port', '0', '--exit-after', '1', '--within', '90s'];
    const listener = await listen(emptyHome(), flags, env);
    expect(await listener.exited).toBe(0);
    expect(rounds).toBeGreaterThanOrEqual(3);
    expect(listener.stderr().match(/lists withdrawals without an id/g)).toHaveLength(1);
  } finally {
    service.close();
  }
});

it('says once that a list of withdrawals without pagination may leave some out', async () => {
  const assume = { 'withdrawal-list-shape': 'unpaged' };
  await using sandbox = await startSandbox({ assume });
  const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
  const listener = await listen(emptyHome(), ['--poll', '1s', '--port', '0', '--exit-after', '1'], env);
  const rounds = () => sandbox.requests().filter(({ operation }) => operation === 'listWithdrawals').length;
  await expect.poll(rounds, { timeout: 20_000 }).toBeGreaterThan(2);
  const made = await run(['charge', 'create', '--amount', '10,50', '-o', 'json'], { env });
  sandbox.pay(JSON.parse(made.stdout).id);
  expect(await listener.exited).toBe(0);
  expect(listener.stderr().match(/lists withdrawals without pagination/g)).toHaveLength(1);
});

it('says once of a status that the document does not show that no event is made for it', async () => {
  const pagination = { hasMore: false, next: null, before: null };
  let rounds = 0;
  await using server = await hostileServer((response, { path }) => {
    const isCharges = path.startsWith('/transparents/list');
    if (isCharges) rounds += 1;
    const createdAt = new Date().toISOString();
    const settled = { ...someCharge, id: 'chg_2', status: 'SETTLED', createdAt };
    const paid = {
      ...someCharge,
      status: rounds < 3 ? 'PENDING' : 'PAID',
      createdAt: '2999-01-01T00:00:00Z',
    };
    const timed = Array.from({ length: 30 }, (_, at) => ({
      ...settled,
      id: `chg_t${at}`,
      status: `AT_${at}`,
    }));
    json(response, 200, { ...success(isCharges ? [settled, ...timed, paid] : []), pagination });
  });
  const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
  const flags = ['--poll', '1s', '--port', '0', '--exit-after', '1', '--within', '90s'];
  const listener = await listen(emptyHome(), flags, env);
  expect(await listener.exited).toBe(0);
  expect(listener.stderr().match(/charges with the status SETTLED/g)).toHaveLength(1);
  expect(listener.stderr()).not.toMatch(/the status (PENDING|PAID)/);
  expect(listener.stderr().match(/with the status/g)).toHaveLength(20);
});

it('tells of a seeded sandbox that was started again, whose ids are those of its last run', async () => {
  const application = await startApplication();
  const port = await freePort();
  const home = emptyHome();
  for (const minutes of [0, 1]) {
    await using sandbox = await startSandbox({ port, seed: 'demo' });
    await sandbox.clock.advance(minutes * 60_000);
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    const made = await run(['charge', 'create', '--amount', '10,50', '-o', 'json'], { home, env });
    const flags = ['--poll', '1s', '--port', '0', '-f', application.url, '--exit-after', '1'];
    const listener = await listen(home, [...flags, '--within', '90s'], env);
    sandbox.pay(JSON.parse(made.stdout).id);
    expect(await listener.exited).toBe(0);
  }
  const told = application.received.map(({ body }) => JSON.parse(body.toString('utf8')));
  expect(told.map(({ event }) => event)).toEqual(['CHARGE_PAID', 'CHARGE_PAID']);
  expect(told[0].data.id).toBe(told[1].data.id);
  await application.close();
});

it('does not say that it listens, nor make a secret, where no service is chosen to be read', async () => {
  const home = emptyHome();
  const { code, stdout, stderr } = await run(['webhook', 'listen', '--poll', '1s', '-o', 'ndjson'], { home });
  expect([code, stdout]).toEqual([78, '']);
  expect(stderr).toContain('The address of the service is not known');
  expect(readdirSync(home)).not.toContain('.config');
});
