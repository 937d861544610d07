/** A listener is told when its sandbox has forgotten it. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { watchSandbox } from '../../../../../src/commands/webhook/listen/ingress/watch-sandbox.ts';
import type { Runtime } from '../../../../../src/runtime.ts';
import { type Sandbox, startSandbox } from '../../../../../src/sandbox/index.ts';

let sandbox: Sandbox;
const ending = new AbortController();
afterEach(() => sandbox.close());

async function register({ url, apiKey }: Sandbox): Promise<string> {
  const response = await fetch(`${url}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['CHARGE_PAID'] }),
  });
  return ((await response.json()) as { data: { id: string } }).data.id;
}

/** Starts to watch; `looks(n)` resolves when it has looked n times more. */
async function watching(
  { url, apiKey }: Sandbox,
  endpoint: string | null,
  kind: 'register' | 'given' = 'register',
  { localUrl = 'http://127.0.0.1:9/', polls = false } = {},
) {
  const warned: string[] = [];
  const noted: string[] = [];
  let slept = 0;
  const runtime = {
    clock: {
      sleep: async () => {
        slept += 1;
        await setImmediate();
      },
    },
    config: async () => ({ profile: () => ({ baseUrl: url }), apiKey: async () => apiKey }),
  } as unknown as Runtime;
  const over = watchSandbox(
    runtime,
    { secretSource: { kind }, endpoint, polls, localUrl, publicUrl: null },
    { warn: (text) => warned.push(text), note: (text) => noted.push(text) },
    ending.signal,
  );
  const looks = (n: number) => {
    const until = slept + n;
    return expect.poll(() => slept, { timeout: 10_000 }).toBeGreaterThan(until);
  };
  return { warned, noted, over, looks };
}

it('warns once, when the sandbox is reset; a look is no call of the API', async () => {
  sandbox = await startSandbox();
  const endpoint = await register(sandbox);
  const calls = sandbox.requests().length;
  const { warned, over, looks } = await watching(sandbox, endpoint);
  await looks(3);
  expect(warned).toEqual([]);
  expect(sandbox.requests()).toHaveLength(calls);
  await sandbox.reset();
  await over;
  expect(warned).toEqual([
    `The sandbox at ${sandbox.url} no longer knows the endpoint ${endpoint}: it was reset or restored. Start this listener again, or nothing may arrive; the signing secret may then be another.`,
  ]);
});

it('waits for a sandbox that is down, and warns when another one comes at its address', async () => {
  sandbox = await startSandbox();
  const { warned, over, looks } = await watching(sandbox, await register(sandbox));
  await sandbox.close();
  await looks(3);
  expect(warned).toEqual([]);
  sandbox = await startSandbox({ port: Number(new URL(sandbox.url).port) });
  await over;
  expect(warned).toEqual([
    expect.stringContaining("does not know this listener's key: it was started again without --state"),
  ]);
});

it.each([
  ['has no endpoint', null, 'register'],
  ['was given one, which another service may have registered', 'wh_other', 'given'],
] as const)('watches nothing where the listener %s', async (_, endpoint, kind) => {
  sandbox = await startSandbox();
  const { warned, over } = await watching(sandbox, endpoint, kind);
  await over;
  expect(warned).toEqual([]);
});

it('says that nothing comes from it where the secret was given, unless an endpoint leads here', async () => {
  sandbox = await startSandbox();
  const none = await watching(sandbox, null, 'given');
  await none.over;
  expect(none.noted).toEqual([
    `The sandbox at ${sandbox.url} has no endpoint for http://127.0.0.1:9/, so nothing comes from it: a listener that is given its secret (--secret-file, --secret-stdin or PIXCTL_WEBHOOK_SECRET) registers nothing. Start it without, and it registers this address.`,
  ]);
  await register(sandbox);
  for (const [localUrl, count] of [
    ['http://127.0.0.1:9/hooks', 0],
    ['http://0.0.0.0:9/', 0],
    ['http://127.0.0.1:10/', 1],
  ] as const) {
    const { noted, over } = await watching(sandbox, null, 'given', { localUrl });
    await over;
    expect(noted).toHaveLength(count);
  }
  const polling = await watching(sandbox, null, 'given', { localUrl: 'http://127.0.0.1:10/', polls: true });
  await polling.over;
  expect(polling.noted).toEqual([]);
});

it("says nothing of one that it cannot ask, because the secret may be another service's", async () => {
  sandbox = await startSandbox();
  const stranger = { ...sandbox, apiKey: 'svc_sandbox_other' };
  const { warned, noted, over } = await watching(stranger, null, 'given');
  await over;
  expect([...warned, ...noted]).toEqual([]);
});
