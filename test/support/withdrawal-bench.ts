/**
 * A bench for withdrawals: the real sandbox, the chaos proxy before it, and real processes of the built
 * program that reach the service through the proxy only. At the end one counts what the service has.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { type ChaosProxy, startChaosProxy } from './chaos-proxy.ts';
import { type Finished, hurried, run, start } from './run.ts';

export interface Listed {
  readonly id: string;
  readonly amount: number;
  readonly pixKey: string;
  readonly status: string;
}

export interface Bench extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly proxy: ChaosProxy;
  readonly home: string;
  readonly env: Record<string, string>;
  /** Runs the program to its end against the proxy. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Finished>;
  start(args: readonly string[], env?: Record<string, string>): ReturnType<typeof start>;
  /** `withdraw` as cron calls it. Each key pays an amount of its own, so that it is told apart in the list. */
  pay(key: string, amount: number, ...more: string[]): Promise<Finished>;
  /** The service takes what is posted next, and its answer waits: until `release`, and from then on all passes. */
  holdAnswer(): { readonly arrived: Promise<void>; release(): void };
  /** What the service has, asked past the proxy. */
  listed(): Promise<Listed[]>;
}

export const payArgs = (key: string, amount: number, ...more: string[]): string[] => [
  'withdraw',
  '--amount',
  String(amount),
  '--to',
  'maria@example.com',
  '--idempotency-key',
  key,
  '--yes',
  '--json',
  ...more,
];

/** One whose processes pass over their long pauses. */
export const openHurriedBench = (options: SandboxOptions = {}): Promise<Bench> => openBench(options, hurried);

export async function openBench(
  options: SandboxOptions = {},
  more: Readonly<Record<string, string>> = {},
): Promise<Bench> {
  const sandbox = await startSandbox({
    withdrawals: 'immediate',
    merchant: { available: 100_000_000 },
    ...options,
  });
  const proxy = await startChaosProxy(sandbox.url);
  const home = mkdtempSync(join(tmpdir(), 'pixctl-bench-'));
  const env = {
    PIXCTL_BASE_URL: proxy.url,
    PIXCTL_API_KEY: sandbox.apiKey,
    PIXCTL_CONFIG_DIR: join(home, 'config'),
    PIXCTL_STATE_DIR: join(home, 'state'),
    ...more,
  };
  const bench: Bench = {
    sandbox,
    proxy,
    home,
    env,
    run: (args, extra) => run(args, { home, env: { ...env, ...extra } }),
    start: (args, extra) => start(args, { home, env: { ...env, ...extra } }),
    pay: (key, amount, ...more) => bench.run(payArgs(key, amount, ...more)),
    holdAnswer: () => heldAnswer(proxy),
    listed: () => readAll(sandbox),
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await sandbox.close();
    },
  };
  return bench;
}

function heldAnswer(proxy: ChaosProxy): ReturnType<Bench['holdAnswer']> {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  proxy.intercept = ({ method }) => {
    if (method !== 'POST') return null;
    arrived.resolve();
    return { kind: 'hang', when: 'after', until: released.promise };
  };
  return {
    arrived: arrived.promise,
    release() {
      proxy.intercept = () => null;
      released.resolve();
    },
  };
}

async function readAll({ url, apiKey }: Sandbox): Promise<Listed[]> {
  const all: Listed[] = [];
  let after = '';
  for (;;) {
    const reply = await fetch(`${url}/withdrawals?limit=100${after}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const page = (await reply.json()) as { data: Listed[]; pagination: { hasMore: boolean; next: string } };
    all.push(...page.data);
    if (!page.pagination.hasMore) return all;
    after = `&after=${encodeURIComponent(page.pagination.next)}`;
  }
}

/** The JSON that a run printed, or null. */
export function printed(finished: Finished): Record<string, unknown> | null {
  return finished.stdout.trim() === '' ? null : (JSON.parse(finished.stdout) as Record<string, unknown>);
}
