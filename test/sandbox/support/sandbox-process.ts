/** The sandbox as it ships, in a process of its own, to be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { cleanEnvironment, emptyHome, node, programPath } from '../../support/run.ts';

export interface SandboxProcess {
  /** A call of the documented plane, or of the control plane below `/__sandbox`. Rejects when it is gone. */
  call<T>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; data: T; next: string | null }>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

const program = (state: string) => `
  const { startSandbox } = await import(${JSON.stringify(pathToFileURL(join(dirname(programPath()), '../dist/sandbox.js')).href)});
  const { url, apiKey, controlToken } = await startSandbox({
    state: ${JSON.stringify(state)},
    withdrawalStepMs: 100,
    onError: (error) => process.stderr.write(String(error?.stack ?? error) + '\\n'),
  });
  process.stdout.write(JSON.stringify({ url, apiKey, controlToken }) + '\\n');
`;

/** Starts on a state file; rejects with what the process said when it ends before it serves. */
export async function sandboxProcess(state: string): Promise<SandboxProcess> {
  const child = spawn(node, ['--input-type=module', '-e', program(state)], {
    env: cleanEnvironment(emptyHome()),
  });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(Buffer.concat(errors).toString('utf8')))),
  ]);
  const { url, apiKey, controlToken } = JSON.parse(String(line[0]));
  return {
    async call(method, path, body) {
      const token = path.startsWith('/__sandbox') ? controlToken : apiKey;
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = JSON.parse(await response.text());
      const data = path.startsWith('/__sandbox') ? answer : answer.data;
      return { status: response.status, data, next: answer.pagination?.next ?? null };
    },
    kill: () => killed(child, errors),
  };
}

async function killed(child: ChildProcess, errors: Buffer[]): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  if (errors.length > 0) throw new Error(Buffer.concat(errors).toString('utf8'));
}
