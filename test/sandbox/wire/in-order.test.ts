/** Requests that come together on one connection: whoever reads them, each is answered as if it had come alone. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Served, serve } from '../support/over-http.ts';

/** Everything that comes back to one write until the connection ends: its statuses. */
async function statuses(sandbox: Served, bytes: string, end = false): Promise<string[]> {
  const socket = connect({
    port: Number(new URL(sandbox.url).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const over = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  if (end) socket.end(bytes);
  else socket.write(bytes);
  await over;
  socket.destroy();
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? '');
}

const charge = '{"method":"PIX","amount":500}';
const withdrawal = '{"amount":500,"pixKey":"52998224725","pixKeyType":"CPF"}';
const fields = (sandbox: Served, more = '') =>
  `Host: x\r\nAuthorization: Bearer ${sandbox.apiKey}\r\nContent-Type: application/json\r\n${more}`;
const post = (sandbox: Served, path: string, body: string, more = '') =>
  `POST ${path} HTTP/1.1\r\n${fields(sandbox, more)}Content-Length: ${body.length}\r\n\r\n${body}`;
const create = (sandbox: Served, more = '') => post(sandbox, '/transparents/create', charge, more);
const inChunks = (sandbox: Served, chunk: string) =>
  `POST /transparents/create HTTP/1.1\r\n${fields(sandbox)}Transfer-Encoding: chunked\r\n\r\n${chunk}`;
const list = (sandbox: Served, more = '') =>
  `GET /transparents/list HTTP/1.1\r\n${fields(sandbox, more)}\r\n`;

/** A header that takes the request to `node:http`, where it means nothing. */
const other = 'Trailer: x\r\n';
const close = 'Connection: close\r\n';

const charges = async (sandbox: Served): Promise<number> =>
  (await sandbox.get('/transparents/list')).body.data.length;

describe.each([
  ['plain', ''],
  ['read by node:http', other],
])('requests in one piece, %s', (_, more) => {
  it('take effect one after another', async () => {
    const sandbox = await serve();
    const bytes = create(sandbox, more) + list(sandbox) + create(sandbox) + list(sandbox, close);
    expect(await statuses(sandbox, bytes)).toEqual(['201', '200', '201', '200']);
    const told = sandbox.requests().map(({ operation }) => operation);
    expect(told).toEqual(['listCharges', 'createCharge', 'listCharges', 'createCharge']);
    expect(sandbox.requests().map(({ answer }) => answer?.match(/"amount":500/g)?.length)).toEqual([
      2, 1, 1, 1,
    ]);
  });

  it('are answered before something unreadable behind them is refused', async () => {
    const sandbox = await serve({ merchant: { available: 10_000 } });
    const bytes = post(sandbox, '/withdrawals', withdrawal, more);
    expect(await statuses(sandbox, `${bytes}nonsense\r\n\r\n`)).toEqual(['201', '400']);
    expect((await sandbox.get('/withdrawals')).body.data).toHaveLength(1);
  });

  it('are answered even if the body of the last one breaks off', async () => {
    const sandbox = await serve();
    const bytes = create(sandbox, more) + create(sandbox) + inChunks(sandbox, 'no number\r\n');
    expect(await statuses(sandbox, bytes)).toEqual(['201', '201', '400']);
    expect(await charges(sandbox)).toBe(2);
  });

  it('end with the one after which the client wants the connection closed', async () => {
    const sandbox = await serve();
    const bytes = create(sandbox, more + close) + create(sandbox);
    expect(await statuses(sandbox, bytes)).toEqual(['201']);
    expect(await charges(sandbox)).toBe(1);
  });

  it('are all answered even if the client has said that it sends no more', async () => {
    const sandbox = await serve();
    const chunked = inChunks(sandbox, `${charge.length.toString(16)}\r\n${charge}\r\n0\r\n\r\n`);
    const bytes = create(sandbox, more) + create(sandbox) + chunked;
    expect(await statuses(sandbox, bytes, true)).toEqual(['201', '201', '201']);
    expect(await charges(sandbox)).toBe(3);
  });

  it('have no effect once their client has gone', async () => {
    const sandbox = await serve();
    sandbox.faults.add({ target: 'api', effect: { kind: 'reset', when: 'after' }, times: 1 });
    expect(await statuses(sandbox, create(sandbox, more) + create(sandbox))).toEqual([]);
    expect(await charges(sandbox)).toBe(1);
  });
});
