/** `pixctl webhook listen` as a real child process, its lines read as they come. */
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testSecret } from './delivery.ts';
import { emptyHome, start } from './run.ts';

export type JsonLine = Record<string, unknown> & { type: string };

export interface Listening {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ready: JsonLine;
  readonly lines: readonly JsonLine[];
  readonly stderr: () => string;
  /** The next line that fits, or one that came already. */
  line(fits: (line: JsonLine) => boolean): Promise<JsonLine>;
  /** Sends the signal and resolves with the exit code (null when killed). */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

/** A home with the test secret in `<home>/secret`. */
export function homeWithSecret(secret = testSecret): string {
  const home = emptyHome();
  writeFileSync(join(home, 'secret'), `${secret}\n`, { mode: 0o600 });
  return home;
}

/** Rejects with what it wrote to stderr when it ends before it is ready. */
export async function listen(
  home: string,
  args: readonly string[],
  env: Record<string, string> = {},
  input?: string,
): Promise<Listening> {
  const child = start(['webhook', 'listen', '-o', 'ndjson', ...args], { home, env });
  if (input !== undefined) child.stdin.end(input);
  const lines: JsonLine[] = [];
  let waiting: (() => void)[] = [];
  let errors = '';
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(JSON.parse(text) as JsonLine);
    wake();
  });
  let ended = false;
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      ended = true;
      wake();
      resolve(code);
    });
  });
  const line = async (fits: (line: JsonLine) => boolean): Promise<JsonLine> => {
    for (;;) {
      const found = lines.find(fits);
      if (found !== undefined) return found;
      if (ended) throw new Error(`the listener has ended: ${errors}`);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const ready = await line(({ type }) => type === 'ready');
  return {
    ...{ child, ready, lines, line, exited },
    url: String(ready.url),
    stderr: () => errors,
    stop(signal = 'SIGINT') {
      child.kill(signal);
      return exited;
    },
  };
}
