/** The way in to a listener: what has to hold before an address is registered, which cannot be undone. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Api } from '../../../../../src/api/client.ts';
import { openIngress } from '../../../../../src/commands/webhook/listen/ingress/ingress.ts';
import type { SecretSource } from '../../../../../src/commands/webhook/listen/ingress/secret-source.ts';
import type { ListenOptions } from '../../../../../src/commands/webhook/listen/options.ts';
import { eventNames } from '../../../../../src/contract/event-names.ts';
import { PixctlError } from '../../../../../src/errors.ts';
import type { Listener } from '../../../../../src/listener/listen.ts';
import type { OtherSecret } from '../../../../../src/listener/receiving/delivery-verifier.ts';
import { type Application, startApplication } from '../../../../support/application.ts';
import { pausedRuntime } from '../../../../support/paused-runtime.ts';

const baseUrl = 'http://127.0.0.1:9';
let elsewhere: Application;
beforeEach(async () => {
  elsewhere = await startApplication();
});
afterEach(() => elsewhere.close());

const kept = () => ({ id: 'wh_1', baseUrl, url: elsewhere.url, events: eventNames });

/** `--register --public-url` with an address that leads to another program, after minutes that are counted only. */
function open(
  registered: readonly object[],
  refusal: Error | null = null,
  keys: SecretSource = { kind: 'register', why: 'asked' },
  onPause: (stop: () => void) => void = () => {},
) {
  const stopping = new AbortController();
  const asked: string[] = [];
  const api = {
    page: async (name: string) => {
      asked.push(name);
      if (refusal !== null) throw refusal;
    },
    call: async (name: string) => {
      asked.push(name);
      return { data: { id: 'wh_new', secret: 'whsec_new' } };
    },
  } as unknown as Api;
  const paused = pausedRuntime(api, () => onPause(() => stopping.abort()));
  const config = {
    profile: () => ({ baseUrl }),
    apiKey: async () => null,
    get: () => registered,
    readSecret: async () => 'whsec_kept',
    update: () => Promise.reject(new Error('nothing can be written')),
  };
  const runtime = Object.assign(paused.runtime, { config: async () => config });
  const used: (readonly string[])[] = [];
  /** Of other endpoints, and how many pauses were made before. */
  const usedWith: unknown[] = [];
  const options = { targets: { all: [] }, host: '127.0.0.1', path: null, events: null, tunnel: null };
  const way = {
    options: { ...options, publicUrl: elsewhere.url } as unknown as ListenOptions,
    secretSource: keys,
    listener: {
      port: 4400,
      instance: 'this one',
      setSecrets(secrets: readonly string[], others: readonly OtherSecret[]) {
        used.push(secrets);
        usedWith.push([others.map(({ description }) => description), paused.pauses.length]);
      },
    } as unknown as Listener,
    onTrouble: () => {},
    stopped: stopping.signal,
  };
  return { ...paused, asked, used, usedWith, ingress: openIngress(runtime, way) };
}

it("registers no address of one's own that leads elsewhere", async () => {
  const { ingress, asked, pauses } = open([]);
  await expect(ingress).rejects.toMatchObject({
    kind: 'later',
    message: `${elsewhere.url} does not lead to this listener (it answers 200, from elsewhere). Nothing was registered.`,
    hint: expect.stringContaining('Start your tunnel to port 4400'),
  });
  expect(asked).toEqual([]);
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(59_000);
});

it('registers nothing once it is told to stop while the address is being proved, and waits no longer', async () => {
  const { ingress, asked, pauses } = open([], null, undefined, (stop) => stop());
  expect(await ingress).toBeNull();
  expect([asked, pauses.length]).toEqual([[], 1]);
});

it('goes on with one that was registered before: its tunnel may come up later', async () => {
  const { ingress, io, used } = open([kept()]);
  expect(await ingress).toMatchObject({ endpoint: 'wh_1', secrets: ['whsec_kept'] });
  expect(io.err).toContain('Deliveries will not arrive until it does.');
  expect(used).toEqual([['whsec_kept']]);
});

it('takes deliveries with the secret that was given while the address is being proved', async () => {
  const given = { kind: 'given', secrets: ['whsec_given'], endpoint: null } as const;
  const { ingress, used, usedWith, pauses } = open([kept()], null, given);
  expect(used).toEqual([]);
  await ingress;
  expect([used, pauses.length > 0]).toEqual([[['whsec_given']], true]);
  expect(usedWith).toEqual([[['signed for wh_1, which an earlier run registered for this address'], 0]]);
});

it('uses one that was registered before also where that cannot be noted', async () => {
  const { ingress } = open([kept(), { ...kept(), id: 'wh_2', url: 'https://shop.example/' }]);
  expect(await ingress).toMatchObject({ endpoint: 'wh_1', secrets: ['whsec_kept'] });
});

it('registers no second one where the service did not say whether it knows the first', async () => {
  const down = new PixctlError('later', 'NOT_REACHED', 'The service was not reached.');
  const { ingress, asked } = open([kept()], down);
  await expect(ingress).rejects.toMatchObject({
    kind: 'later',
    message: down.message,
    hint: expect.stringContaining('give --endpoint wh_1 instead of --register'),
  });
  expect(asked).toEqual(['listDeliveries']);
});

it('registers no second one where it may not read the history (403), and stops at a refused key', async () => {
  const forbidden = new PixctlError('auth', 'FORBIDDEN', 'Not in your plan.', { httpStatus: 403 });
  const { ingress, asked, io } = open([kept()], forbidden);
  expect(await ingress).toMatchObject({ endpoint: 'wh_1', secrets: ['whsec_kept'] });
  expect(asked).toEqual(['listDeliveries']);
  expect(io.err).toContain(
    'Not in your plan. If nothing arrives, this registers another: pixctl webhook add --url',
  );
  const revoked = new PixctlError('auth', 'UNAUTHORIZED', 'No.', { httpStatus: 401 });
  await expect(open([kept()], revoked).ingress).rejects.toBe(revoked);
});

it.each(['unexpected', 'refused'] as const)(
  'registers no second one where its history cannot be read (%s), which nothing documents',
  async (kind) => {
    const { ingress, asked, io } = open([kept()], new PixctlError(kind, 'ODD', 'No list:\nof svc_another.'));
    expect(await ingress).toMatchObject({ endpoint: 'wh_1', secrets: ['whsec_kept'] });
    expect(asked).toEqual(['listDeliveries']);
    expect(io.err).toContain(
      'wh_1 is assumed to be still registered, though its history cannot be read. No list:\\nof svc_****.',
    );
  },
);

it('asks nothing of one whose id the service never told, and uses it again', async () => {
  const id = 'url-0123456789ab';
  const { ingress, asked } = open([{ ...kept(), id }], new PixctlError('notFound', 'NOT_FOUND', 'None.'));
  expect(await ingress).toMatchObject({ endpoint: id, secrets: ['whsec_kept'] });
  expect(asked).toEqual([]);
});
