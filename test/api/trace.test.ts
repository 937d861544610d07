import { expect, it } from 'vitest';
import { hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { clientOf } from './client-of.ts';

it('--debug shows the course of a request, and nothing of a person, a key or a code', async () => {
  const person = {
    id: 'cust_1',
    name: 'CANARY Ana',
    taxId: 'CANARY 111',
    email: 'CANARY@x',
    phone: '+55CANARY',
  };
  const reply = { ...someCharge, brCode: 'CANARY', txid: 'CANARY', customer: person, future: 'CANARY' };
  await using server = await hostileServer((response) => {
    response.setHeader('set-cookie', 'CANARY');
    json(response, 201, { ...success(reply), note: 'CANARY' });
  });
  const lines: string[] = [];
  const api = clientOf(server.url, { apiKey: async () => 'svc_CANARY', trace: (line) => lines.push(line) });
  await api.call('createCharge', { body: { method: 'PIX', amount: 1050, description: 'CANARY' } });
  await api.raw({ method: 'GET', path: '/x?pixKey=CANARY&id=chg_1', timeoutMs: 1000 });
  await api.close();
  const text = lines.join('\n');
  expect(text).not.toContain('CANARY');
  expect(lines[0]).toBe(
    `> POST ${server.url}/transparents/create authorization: Bearer [redacted] {"method":"PIX","amount":1050,"description":"[redacted]"}`,
  );
  expect(lines[1]).toContain('"amount":1050,"status":"PENDING"');
  expect(lines[2]).toContain('GET');
  expect(text).toContain('/x?pixKey=[redacted]&id=chg_1');
});
