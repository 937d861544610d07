/** What one home remembers of a sandbox and a listener that were ended and started again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verify } from '../../../../src/contract/signature.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { type Listening, listen } from '../../../support/listen.ts';
import { emptyHome, run } from '../../../support/run.ts';
import { type SandboxRun, sandboxRun } from '../../../support/sandbox.ts';

let home: string;
let application: Application;
const running: { stop(): Promise<unknown> }[] = [];
beforeEach(async () => {
  home = emptyHome();
  application = await startApplication();
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
  await application.close();
});

/** A sandbox and a listener at it, in the home of this test. */
async function day(options: { sandbox?: string[]; port?: string } = {}) {
  const sandbox = await sandboxRun(home, ...(options.sandbox ?? []));
  running.unshift(sandbox);
  return { sandbox, listener: await another(options.port) };
}

async function another(port = '0'): Promise<Listening> {
  const listener = await listen(home, ['--port', port, '-f', String(application.port), '--print-secret']);
  running.unshift(listener);
  return listener;
}

const night = async ({ sandbox, listener }: { sandbox: SandboxRun; listener: Listening }) => {
  await listener.stop();
  await sandbox.stop();
};
type Kept = Record<'id' | 'url' | 'baseUrl', string> & { readonly sandbox?: string | undefined };
const stored = () => JSON.parse(readFileSync(join(home, '.config/pixctl/config.json'), 'utf8'));
const keptNow = (): [Kept, ...Kept[]] => stored().settings.webhook.endpoints;
const keepInstead = (endpoints: readonly Kept[]) => {
  const all = stored();
  all.settings.webhook.endpoints = endpoints;
  writeFileSync(join(home, '.config/pixctl/config.json'), JSON.stringify(all));
};
const portOf = ({ url }: Listening): string => new URL(url).port;
const pixctl = (...args: string[]) => run(args, { home });
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await pixctl(...args, '-o', 'json');
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout);
};

it('a restarted sandbox is reported as such to whoever polls it, and not as a key to log in with', async () => {
  const first = await sandboxRun(home, '--port', '0');
  const { port } = new URL(first.url);
  const polling = await listen(home, ['--port', '0', '--poll', '1s']);
  running.unshift(polling);
  await first.stop();
  const second = await sandboxRun(home, '--port', port);
  running.unshift(second);
  expect(await polling.exited).toBe(77);
  expect(polling.stderr()).toContain('was restarted during this run');
  expect(polling.stderr()).not.toContain('login');
});

describe('a sandbox that goes on from its state at another port', () => {
  it("still knows the listener's endpoint, and delivers each event to it once", async () => {
    const state = ['--state', join(home, 'shop.db')];
    const first = await day({ sandbox: state });
    await night(first);
    const second = await day({ sandbox: state, port: portOf(first.listener) });
    expect(second.sandbox.url).not.toBe(first.sandbox.url);
    expect(second.listener.ready.endpoint).toBe(first.listener.ready.endpoint);
    await night(second);
    const third = await day({ sandbox: state, port: portOf(first.listener) });
    const { id } = await json('charge', 'create', '--amount', '10,50', '--no-qr');
    await pixctl('sandbox', 'pay', id);
    await third.listener.line(({ type }) => type === 'event');
    await expect.poll(() => json('sandbox', 'deliveries')).toMatchObject([{ state: 'DELIVERED' }]);
    expect(third.listener.lines.filter(({ type }) => type === 'rejected')).toEqual([]);
  });

  it('is not asked for the endpoint of another, and one that answers nothing gets a new one', async () => {
    const first = await day();
    await night(first);
    const sandbox = await sandboxRun(home);
    running.unshift(sandbox);
    await pixctl('sandbox', 'fault', 'add', '--effect', 'error', '--on', 'listDeliveries', '--times', '1');
    const { ready } = await another(portOf(first.listener));
    expect(ready.endpoint).not.toBe(first.listener.ready.endpoint);
    expect(await json('sandbox', 'fault', 'list')).toMatchObject([{ fired: 0 }]);
  });

  it('is not asked for an endpoint of the service', async () => {
    const { listener } = await day();
    await listener.stop();
    const [{ sandbox, ...kept }] = keptNow();
    expect(sandbox).toMatch(/^[0-9a-f]{16}$/);
    const ofTheService = { ...kept, baseUrl: 'https://api.example.com' };
    keepInstead([ofTheService]);
    const again = await another(portOf(listener));
    expect(again.ready.endpoint).not.toBe(kept.id);
    expect(keptNow()).toEqual([ofTheService, expect.objectContaining({ id: again.ready.endpoint })]);
  });
});

describe('endpoints that were registered from here', () => {
  it.each([
    ['other sandboxes', 'gone', 0],
    ['the sandbox in use', undefined, 1],
  ])(
    'are forgotten, oldest first, where more than 30 are of %s; never those of the service',
    async (_, place, gone) => {
      const { listener } = await day();
      const [ofThisOne] = keptNow();
      const oldest = { ...ofThisOne, sandbox: place ?? ofThisOne.sandbox };
      const ofTheService = {
        ...oldest,
        id: 'wh_real',
        baseUrl: 'https://api.example.com',
        sandbox: undefined,
      };
      const later = Array.from({ length: 30 }, (_, at) => ({
        ...oldest,
        id: `wh_${at}`,
        url: `http://[::1]:${at}/`,
      }));
      keepInstead([ofTheService, oldest, ...later]);
      const secretOf = (id: string) =>
        pixctl('webhook', 'trigger', 'CHARGE_PAID', '-f', portOf(listener), '--endpoint', id);
      expect((await secretOf(oldest.id)).code).toBe(0);
      const newest = await another();
      expect(keptNow().map(({ id }) => id)).toEqual([
        'wh_real',
        ...later.slice(gone).map(({ id }) => id),
        newest.ready.endpoint,
      ]);
      expect((await secretOf(oldest.id)).code).toBe(78);
    },
  );
});

describe('trigger, test, sign and verify', () => {
  it('take the secret of the sandbox in use, not those of sandboxes that are gone', async () => {
    const first = await day();
    await night(first);
    const second = await day({ port: portOf(first.listener) });
    const secret = String(second.listener.ready.secret);
    expect(secret).not.toBe(first.listener.ready.secret);
    const sent = await pixctl('webhook', 'trigger', 'CHARGE_PAID', '-f', String(application.port));
    expect(sent.code).toBe(0);
    expect(sent.stderr).toContain(
      `Using the secret of ${second.listener.ready.endpoint} (${second.listener.url}), one of 2`,
    );
    const [got] = application.received;
    const header = got?.headers['service-signature'];
    const judged = verify({ secret, body: got?.body ?? '', header, now: Date.now(), toleranceMs: 60_000 });
    expect(judged.ok).toBe(true);
    await night(second);
    const payload = join(home, 'body.json');
    writeFileSync(payload, '{}');
    const signed = await pixctl('webhook', 'sign', '--payload-file', payload, '--timestamp', '1767323045');
    const value = signed.stdout.trim();
    expect(verify({ secret, body: '{}', header: value, now: 0, toleranceMs: null }).ok).toBe(true);
    const offline = ['--payload-file', payload, '--signature', value, '--tolerance', 'none'];
    expect((await pixctl('webhook', 'verify', ...offline)).code).toBe(0);
  });

  it('take that of the listener that they send to, and name all where several may be meant', async () => {
    const { listener } = await day();
    const other = await another();
    const to = ['webhook', 'trigger', 'CHARGE_PAID', '-f'];
    for (const { url } of [listener, other])
      expect((await pixctl(...to, portOf({ url } as Listening))).code).toBe(0);
    const unclear = await pixctl(...to, String(application.port));
    expect(unclear.code).toBe(64);
    for (const { ready, url } of [listener, other])
      expect(unclear.stderr).toContain(`${ready.endpoint} (${url})`);
    const named = await pixctl(...to, String(application.port), '--endpoint', String(other.ready.endpoint));
    expect(named.code).toBe(0);
  });

  it('take that of the new endpoint once the sandbox was reset', async () => {
    const { listener } = await day();
    await listener.stop();
    await pixctl('sandbox', 'reset');
    const again = await another(portOf(listener));
    expect(again.ready.endpoint).not.toBe(listener.ready.endpoint);
    expect((await pixctl('webhook', 'trigger', 'CHARGE_PAID', '-f', portOf(again))).code).toBe(0);
  });
});
