/** A service that sends our own key back, in every place where it could. */
import { afterAll, describe, expect, it } from 'vitest';
import { type HostileServer, hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { clientOf } from './client-of.ts';

const key = 'svc_reflected/canary_1';
const escaped = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const bodies: readonly (readonly [where: string, body: string | Buffer, expected: string])[] = [
  ['a value', JSON.stringify({ a: key }), '{"a":"[redacted]"}'],
  ['a name', JSON.stringify({ [key]: 1 }), '{"[redacted]":1}'],
  ['a value, escaped as JSON may', `{"a":"${escaped(key)}"}`, '{"a":"[redacted]"}'],
  ['a value, with an escaped slash', `{"a":"${key.replace('/', '\\/')}"}`, '{"a":"[redacted]"}'],
  ['both spellings', `{"a":"${key}","b":"${escaped(key)}"}`, '{"a":"[redacted]","b":"[redacted]"}'],
  ['text that is no JSON', `<p>${key}</p>`, '<p>[redacted]</p>'],
];

let server: HostileServer | undefined;
afterAll(() => server?.[Symbol.asyncDispose]());

const ask = async (body: string | Buffer, apiKey = key) => {
  await server?.[Symbol.asyncDispose]();
  server = await hostileServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-echo': `Bearer ${key}` });
    response.end(body);
  });
  const api = clientOf(server.url, { apiKey: async () => apiKey });
  const reply = await api.raw({ method: 'GET', path: '/x', timeoutMs: 5_000 });
  return { headers: reply.headers, body: Buffer.from(reply.body) };
};

describe('our own key in an answer', () => {
  it.each(bodies)('in %s is hidden', async (_where, body, expected) => {
    const reply = await ask(body);
    expect(reply.body.toString()).toBe(expected);
    expect(reply.headers['x-echo']).toBe('Bearer [redacted]');
  });

  it('leaves other bytes as they are', async () => {
    const reply = await ask(
      Buffer.concat([Buffer.from([0xff, 0x00, 0xc3]), Buffer.from(key), Buffer.from([0x80])]),
    );
    expect(reply.body).toEqual(
      Buffer.concat([Buffer.from([0xff, 0x00, 0xc3]), Buffer.from('[redacted]'), Buffer.from([0x80])]),
    );
  });

  it('is not looked for when it is too short to be one', async () => {
    expect((await ask('{"a":"svc"}', 'svc')).body.toString()).toBe('{"a":"svc"}');
  });

  it('is hidden in a documented answer too', async () => {
    await using other = await hostileServer((response) =>
      json(response, 200, success({ ...someCharge, description: `paid with ${key}` })),
    );
    const api = clientOf(other.url, { apiKey: async () => key });
    expect(await api.call('getCharge', { query: { id: 'chg_1' } })).toMatchObject({
      description: 'paid with [redacted]',
    });
  });
});
