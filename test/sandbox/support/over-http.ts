/** A sandbox for one test, spoken to as any program would: over HTTP, in plain JSON. */
import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** biome-ignore lint/suspicious/noExplicitAny: what came over the wire is of no known type */
  readonly body: any;
}

export interface Served extends Sandbox {
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Any request: nothing is added but what is given. */
  send(method: string, path: string, init?: RequestInit): Promise<Reply>;
  /** The control plane, with its token. */
  control(method: string, path: string, body?: unknown): Promise<Reply>;
  charge(amount?: number, more?: Record<string, unknown>): Promise<Reply['body']>;
}

/** Closed at the end of the test. Bugs in the sandbox are thrown, unless the test watches for them. */
export async function serve(options: SandboxOptions = {}): Promise<Served> {
  const served = await startServed(options);
  onTestFinished(() => served.close());
  return served;
}

/** The same for a hook, which closes it itself. */
export async function startServed(options: SandboxOptions = {}): Promise<Served> {
  const onError = (error: unknown) => {
    throw error;
  };
  const sandbox = await startSandbox({ onError, ...options });
  const authorization = `Bearer ${sandbox.apiKey}`;
  const json = { 'content-type': 'application/json' };
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await fetch(sandbox.url + path, { method, redirect: 'manual', ...init });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
  const text = (body: unknown) => (body === undefined ? null : JSON.stringify(body));
  const served = Object.assign(Object.create(sandbox) as Sandbox, {
    send,
    get: (path: string, headers = {}) => send('GET', path, { headers: { authorization, ...headers } }),
    post: (path: string, body?: unknown, headers = {}) =>
      send('POST', path, { headers: { authorization, ...json, ...headers }, body: text(body) }),
    control: (method: string, path: string, body?: unknown) =>
      send(method, `/__sandbox${path}`, {
        headers: { authorization: `Bearer ${sandbox.controlToken}`, ...json },
        body: text(body),
      }),
    async charge(amount = 1_050, more = {}) {
      const made = await served.post('/transparents/create', { method: 'PIX', amount, ...more });
      if (made.status !== 201) throw new Error(`not created: ${JSON.stringify(made.body)}`);
      return made.body.data;
    },
  });
  return served;
}
