/** What is asked before a request leaves, and told as it leaves: withdrawals and charges lean on both. */
import { describe, expect, it } from 'vitest';
import { hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { clientOf } from './client-of.ts';

/** Makes a charge and reads it, and tells what happened in which order. */
async function createAndRead(refuseToSend: boolean) {
  const told: string[] = [];
  await using server = await hostileServer((response, { method }) => {
    told.push(`received ${method}`);
    json(response, method === 'POST' ? 201 : 200, success(someCharge));
  });
  const api = clientOf(server.url, {
    beforeSend: () => {
      told.push('asked');
      if (refuseToSend) throw new Error('not now');
    },
    onFirstByte: () => told.push('left'),
  });
  const sent = await api.send({
    method: 'POST',
    path: '/transparents/create',
    body: '{}',
    timeoutMs: 10_000,
  });
  await api.call('getCharge', { query: { id: 'chg_1' } });
  await api.close();
  return { sent, told };
}

describe('a request that may change something', () => {
  it('is sent once it was allowed, and its first byte is told', async () => {
    const { sent, told } = await createAndRead(false);
    expect(sent.kind).toBe('reply');
    expect(told).toEqual(['asked', 'left', 'received POST', 'received GET']);
  });

  it('does not leave where it is not allowed, and a read does', async () => {
    const { sent, told } = await createAndRead(true);
    expect(sent).toMatchObject({ kind: 'not-sent', cause: { message: 'not now' } });
    expect(told).toEqual(['asked', 'received GET']);
  });
});

it('a dry run sends reads only', async () => {
  await using server = await hostileServer((response) => json(response, 200, success(someCharge)));
  const api = clientOf(server.url, { readsOnly: true });
  const create = api.send({ method: 'POST', path: '/transparents/create', body: '{}', timeoutMs: 10_000 });
  await expect(create).rejects.toThrow('a dry run was about to send POST /transparents/create');
  await api.call('getCharge', { query: { id: 'chg_1' } });
  expect(server.received.map(({ method }) => method)).toEqual(['GET']);
  await api.close();
});
