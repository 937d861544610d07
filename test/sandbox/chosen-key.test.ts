/** `apiKey` of `startSandbox`: a key that others know before it starts. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { emptyHome } from '../support/run.ts';
import { serve } from './support/over-http.ts';

const apiKey = 'svc_sandbox_for-the-compose-file';

describe('a key drawn from a seed', () => {
  const open = { host: '0.0.0.0' };

  it.each([
    ['the first', {}, () => {}],
    ['a later one', { apiKey }, (sandbox: Sandbox) => void sandbox.addMerchant()],
  ])('never opens a sandbox to other machines: %s', async (_title, chosen, draw) => {
    const state = join(emptyHome(), 'shop.db');
    const first = await startSandbox({ state, seed: 'demo', ...chosen });
    draw(first);
    await first.close();
    for (const options of [open, { ...open, seed: 'demo', apiKey }])
      await expect(startSandbox({ state, ...options })).rejects.toMatchObject({
        code: 'GUESSABLE_KEYS',
        message: expect.stringContaining('API keys that follow from a seed'),
      });
    const again = await startSandbox({ state });
    expect(again.apiKey).toBe(first.apiKey);
    await again.close();
  });

  it('is not brought to other machines by a snapshot either, or by a state that took one over', async () => {
    const snapshot = (await serve({ seed: 'demo' })).snapshot();
    const exposed = await serve(open);
    const { id } = await exposed.charge();
    await expect(exposed.restore(snapshot)).rejects.toMatchObject({
      code: 'GUESSABLE_KEYS',
      message: expect.stringContaining('nothing was changed'),
    });
    expect((await exposed.get(`/transparents/check?id=${id}`)).status).toBe(200);
    const state = join(emptyHome(), 'shop.db');
    const own = await serve({ state });
    await own.restore(snapshot);
    await own.close();
    await expect(startSandbox({ state, ...open })).rejects.toMatchObject({ code: 'GUESSABLE_KEYS' });
  });

  it('is none if the state was open to them from its start, or its only key was chosen', async () => {
    const [made, chosen] = [join(emptyHome(), 'shop.db'), join(emptyHome(), 'shop.db')];
    const first = await startSandbox({ state: made, seed: 'demo', ...open });
    await first.close();
    await (await startSandbox({ state: chosen, seed: 'demo', apiKey })).close();
    for (const [state, key] of [
      [made, first.apiKey],
      [chosen, apiKey],
    ] as const) {
      const again = await startSandbox({ state, seed: 'demo', ...open });
      expect(again.apiKey).toBe(key);
      await again.close();
    }
  });
});

it('a state whose first key was revoked starts with another, which is kept', async () => {
  const state = join(emptyHome(), 'shop.db');
  const first = await serve({ state });
  const { id } = await first.charge();
  first.revokeKey(first.apiKey);
  await first.close();
  const second = await serve({ state });
  expect((await second.get(`/transparents/check?id=${id}`)).status).toBe(200);
  const before = { authorization: `Bearer ${first.apiKey}` };
  expect((await second.get('/withdrawals', before)).status).toBe(401);
  await second.close();
  expect((await serve({ state })).apiKey).toBe(second.apiKey);
});

describe('a chosen key', () => {
  it('is that of the first merchant, through a reset and a restore', async () => {
    const sandbox = await serve({ apiKey });
    expect(sandbox.apiKey).toBe(apiKey);
    expect((await sandbox.get('/withdrawals')).status).toBe(200);
    await sandbox.reset();
    expect((await sandbox.get('/withdrawals')).status).toBe(200);
    await sandbox.restore((await serve()).snapshot());
    expect((await sandbox.get('/withdrawals')).status).toBe(200);
  });

  it('opens a state that has another, which stays valid', async () => {
    const state = join(emptyHome(), 'shop.db');
    const first = await serve({ state });
    const { id } = await first.charge();
    await first.close();
    const second = await serve({ state, apiKey });
    expect((await second.get(`/transparents/check?id=${id}`)).status).toBe(200);
    const before = { authorization: `Bearer ${first.apiKey}` };
    expect((await second.get('/withdrawals', before)).status).toBe(200);
    await second.close();
    expect((await serve({ state })).apiKey).toBe(apiKey);
  });

  it('is refused if the state knows it as revoked or as that of another merchant', async () => {
    const state = join(emptyHome(), 'shop.db');
    const first = await serve({ state });
    const [own, other] = [first.addKey(), first.addMerchant().apiKey];
    first.revokeKey(own);
    await first.close();
    await expect(startSandbox({ state, apiKey: own })).rejects.toThrow('the chosen API key is revoked');
    await expect(startSandbox({ state, apiKey: other })).rejects.toThrow('belongs to another merchant');
    expect((await serve({ state })).apiKey).toBe(first.apiKey);
  });

  it.each(['svc_live_0123456789abcdef', 'svc_sandbox_short', `${apiKey} `, ''])(
    'is refused as %j, without being repeated: it may be a real one',
    async (wrong) => {
      const error = await startSandbox({ apiKey: wrong }).then(
        () => null,
        (thrown: Error) => thrown,
      );
      expect(error?.message).toBe('apiKey: must be svc_sandbox_ and 16 to 128 of A-Z, a-z, 0-9, - and _');
    },
  );

  it.each([
    [
      { host: 'localhost' },
      'host: must be an IP address of this machine, "0.0.0.0" or "::", not "localhost"',
    ],
    [{ allowHosts: 'sandbox' }, 'allowHosts: must be an array of host names without port, not "sandbox"'],
    [{ allowHosts: ['sandbox:4010'] }, 'allowHosts: must be an array of host names without port'],
  ])('and its neighbours are checked: %o', async (options, message) => {
    await expect(startSandbox(options as never)).rejects.toThrow(message);
  });
});
