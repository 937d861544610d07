/** A read that comes again is told the same without a look into the store, and never what is no longer so. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Charge } from '../../../src/contract/charge.ts';
import { assemble } from '../../../src/sandbox/assembly.ts';
import { serve as serveOn } from '../../../src/sandbox/listen.ts';
import { reservePorts } from '../../../src/sandbox/reserve-ports.ts';
import { type Served, serve } from '../support/over-http.ts';

const list = '/transparents/list?limit=2';
const amounts = async (sandbox: Served, headers = {}) =>
  (await sandbox.get(list, headers)).body.data.map((charge: { amount: number }) => charge.amount);

describe('a list that is requested again', () => {
  it('is the same to the byte', async () => {
    const sandbox = await serve();
    await sandbox.charge(500);
    await sandbox.charge(600);
    const first = await sandbox.get(list);
    for (let again = 0; again < 3; again++) {
      const { status, headers, body } = await sandbox.get(list);
      expect([status, body]).toEqual([200, first.body]);
      expect(headers.get('x-sandbox-assumption')).toBe(first.headers.get('x-sandbox-assumption'));
    }
  });

  it('shows what was created meanwhile', async () => {
    const sandbox = await serve();
    const seen: number[][] = [];
    for (const amount of [500, 600, 700]) {
      await sandbox.charge(amount);
      seen.push(await amounts(sandbox), await amounts(sandbox));
    }
    expect(seen).toEqual([[500], [500], [600, 500], [600, 500], [700, 600], [700, 600]]);
  });

  it('shows each merchant its own charges', async () => {
    const sandbox = await serve();
    const authorization = `Bearer ${sandbox.addMerchant().apiKey}`;
    await sandbox.charge(500);
    for (let again = 0; again < 3; again++) {
      expect(await amounts(sandbox)).toEqual([500]);
      expect(await amounts(sandbox, { authorization })).toEqual([]);
    }
  });

  it('shows an expiry at its very moment', async () => {
    const sandbox = await serve();
    sandbox.clock.freeze();
    await sandbox.charge(500, { expiresIn: 60 });
    const states = async () => {
      const answer = await sandbox.get(list);
      return [answer.body.data[0].status, answer.headers.get('x-sandbox-assumption')];
    };
    const pending = ['PENDING', 'list-order,list-lag,list-shape'];
    expect([await states(), await states()]).toEqual([pending, pending]);
    await sandbox.clock.advance(59_999);
    expect(await states()).toEqual(pending);
    await sandbox.clock.advance(1);
    const expired = ['EXPIRED', 'list-order,list-lag,expired-transition,list-shape'];
    expect([await states(), await states(), await states()]).toEqual([expired, expired, expired]);
  });

  it('shows an expiry at its very moment even if only time has passed', async () => {
    let now = Date.UTC(2026, 0, 1);
    const machine = { ...systemClock, now: () => now };
    const report = () => {};
    const assembly = assemble({ state: null, settings: {}, merchant: {}, machine, report });
    const { url, close } = serveOn(await reservePorts('127.0.0.1', 0), assembly);
    const headers = { authorization: `Bearer ${assembly.apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ method: 'PIX', amount: 500, expiresIn: 60 });
    await fetch(`${url}/transparents/create`, { method: 'POST', headers, body });
    const told = async () => {
      const answer = (await (await fetch(`${url}${list}`, { headers })).json()) as { data: [Charge] };
      const [{ id, status }] = answer.data;
      const check = await fetch(`${url}/transparents/check?id=${id}`, { headers });
      return [status, ((await check.json()) as { data: Charge }).data.status];
    };
    expect([await told(), await told()].flat()).toEqual(Array(4).fill('PENDING'));
    now += 59_999;
    expect(await told()).toEqual(['PENDING', 'PENDING']);
    now += 1;
    expect([await told(), await told()].flat()).toEqual(Array(4).fill('EXPIRED'));
    await close();
    await assembly.close();
  });

  it('is forgotten with the world that it showed', async () => {
    const sandbox = await serve();
    const empty = sandbox.snapshot();
    await sandbox.charge(500);
    expect([await amounts(sandbox), await amounts(sandbox)]).toEqual([[500], [500]]);
    await sandbox.restore(empty);
    expect(await amounts(sandbox)).toEqual([]);
    await sandbox.charge(600);
    expect([await amounts(sandbox), await amounts(sandbox)]).toEqual([[600], [600]]);
    await sandbox.reset();
    expect(await amounts(sandbox)).toEqual([]);
  });

  it('is whole for a client that reads late, whoever else is answered meanwhile', async () => {
    const sandbox = await serve();
    for (let count = 0; count < 100; count++) await sandbox.charge(500 + count);
    const target = '/transparents/list?limit=100';
    const { body } = await sandbox.get(target);
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1').pause();
    const ask = (more: string) =>
      `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.apiKey}\r\n${more}\r\n`;
    const asked = 60;
    socket.write(ask('').repeat(asked - 1) + ask('Connection: close\r\n'));
    // More than the sockets between them hold.
    await expect.poll(() => sandbox.requests().length).toBeGreaterThan(20);
    for (let count = 0; count < 5; count++) expect((await sandbox.get(target)).body).toEqual(body);
    let text = '';
    for await (const chunk of socket) text += chunk;
    const answers = text.split(/HTTP\/1\.1 200 OK\r\n/).slice(1);
    expect(answers).toHaveLength(asked);
    for (const answer of answers) expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(body);
  });

  it('is cut, changed or held back by a fault like any other, and whole after it', async () => {
    const sandbox = await serve();
    await sandbox.charge(500);
    const { body } = await sandbox.get(list);
    await sandbox.get(list);
    const once = (effect: never) => sandbox.faults.add({ target: 'api', effect, times: 1 });
    once({ kind: 'truncate' } as never);
    await expect(sandbox.get(list)).rejects.toThrow();
    expect((await sandbox.get(list)).body).toEqual(body);
    once({ kind: 'unknown-status', value: 'ODD' } as never);
    expect((await sandbox.get(list)).body.data[0].status).toBe('ODD');
    expect((await sandbox.get(list)).body).toEqual(body);
    once({ kind: 'error', status: 500, when: 'before' } as never);
    expect((await sandbox.get(list)).status).toBe(500);
    expect((await sandbox.get(list)).body).toEqual(body);
  });
});

describe('a charge', () => {
  it('is written as JSON.stringify would, whatever its texts hold', async () => {
    const sandbox = await serve({ merchant: { name: 'Bar "do" \\ Zé', city: '{"a":1}' } });
    const name = 'José "\\" \u2028 \ud83d\ude00 \u0001 </script>';
    const customer = { name, email: 'jose@example.com', taxId: '11144477735' };
    const { id: customerId } = sandbox.addCustomer(customer);
    const authorization = `Bearer ${sandbox.apiKey}`;
    const { id } = await sandbox.charge(500, { customerId, description: '"' });
    for (const target of [`/transparents/check?id=${id}`, list]) {
      const text = await (await fetch(sandbox.url + target, { headers: { authorization } })).text();
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
      expect(text).toContain(JSON.stringify(name));
    }
  });
});

describe('the log of requests', () => {
  it('holds what was answered, shortened if long, even after it has wrapped around', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge(500);
    for (let count = 0; count < 510; count++) {
      if (count % 3 === 0) await sandbox.get('/transparents/check?id=none');
      else if (count % 3 === 1) await sandbox.get(`/transparents/check?id=${id}`);
      else await sandbox.get(list);
    }
    for (let count = 0; count < 5; count++) await sandbox.charge(600 + count);
    await sandbox.get('/transparents/list?limit=5');
    const [long, ...others] = sandbox.requests();
    expect(long?.answer).toMatch(/^\{"data":\[\{"id":"chg_.*\.\.\.$/);
    expect(long?.answer).toHaveLength(4_099);
    expect(others).toHaveLength(499);
    expect(JSON.parse(others[0]?.answer ?? '').data.amount).toBe(604);
    const last = (query: string) => others.find(({ target }) => target.endsWith(query))?.answer ?? '';
    expect(JSON.parse(last('=none')).error).toBe('NOT_FOUND');
    expect(JSON.parse(last(`=${id}`)).data.id).toBe(id);
    expect(JSON.parse(last('limit=2')).data).toHaveLength(1);
  });
});
