/** `pixctl sandbox start` as a real child process, which writes its profile into `home`. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { start } from './run.ts';

export interface SandboxRun {
  readonly url: string;
  readonly apiKey: string;
  /** What it has written to stderr so far. */
  said(): string;
  /** As Ctrl-C does; resolves when it has ended. */
  stop(): Promise<void>;
}

/** Rejects with what it wrote to stderr when it ends before it serves. */
export async function sandboxRun(home: string, ...flags: string[]): Promise<SandboxRun> {
  const child = start(['sandbox', 'start', '-o', 'json', ...flags], { home });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const closed = once(child, 'close');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    closed.then(() => Promise.reject(new Error(`the sandbox has ended: ${said}`))),
  ]);
  const { url, apiKey } = JSON.parse(String(line)) as { url: string; apiKey: string };
  return {
    ...{ url, apiKey },
    said: () => said,
    async stop() {
      child.kill('SIGINT');
      await closed;
    },
  };
}
