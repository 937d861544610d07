/** What a program elsewhere is told when it connects. */
import { expect, it } from 'vitest';
import { version } from '../../../src/version.ts';
import { serve } from '../support/over-http.ts';

it('is told which version this is, the token, and whose key it has', async () => {
  const sandbox = await serve();
  const other = sandbox.addMerchant();
  const ask = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await sandbox.send('GET', '/__sandbox/connection', { headers });
    return status === 200 ? body : status;
  };
  const { controlToken, merchantId } = sandbox;
  const first = { version, controlToken, merchantId, isFirstMerchant: true };
  expect(await ask(controlToken)).toEqual(first);
  expect(await ask(sandbox.apiKey)).toEqual(first);
  expect(await ask(other.apiKey)).toEqual({
    ...{ version, controlToken, merchantId: other.id, isFirstMerchant: false },
  });
  sandbox.revokeKey(other.apiKey);
  expect(await ask(other.apiKey)).toBe(401);
  expect(await ask('nobody')).toBe(401);
});
