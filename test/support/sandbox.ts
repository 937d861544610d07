/** `pixctl sandbox start` as a real child process, which writes its profile into `home`. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { start } from './run.ts';

export interface SandboxRun {
  readonly url: string;
  readonly apiKey: string;
  /** As Ctrl-C does; resolves when it has ended. */
  stop(): Promise<void>;
}

export async function sandboxRun(home: string, ...flags: string[]): Promise<SandboxRun> {
  const child = start(['sandbox', 'start', '-o', 'json', ...flags], { home });
  child.stderr.resume();
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, apiKey } = JSON.parse(String(line)) as { url: string; apiKey: string };
  return {
    ...{ url, apiKey },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'close');
    },
  };
}
