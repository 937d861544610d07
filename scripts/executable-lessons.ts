/**
 * What the executable is trained on: V8 keeps the compiled code of whatever these command lines run. Others run as
 * well, and compile what they need beyond that at its first use. Everything is on loopback, in a home of its own.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

const code =
  '00020101021226900014BR.GOV.BCB.PIX2568qrcodes-pix-h.gerencianet.com.br/v2/1945cd30c786425ab6121bba9f49d4405204000053039865802BR5914GERENCIANET SA6010OURO PRETO62070503***6304E615';

/** Command lines, each with its exit code if that is not 0. */
const offline: readonly (readonly [words: readonly string[], exit?: number])[] = [
  [['--help']],
  [['charge', '--help']],
  [['help', 'exit-codes']],
  [['charge', 'get', '--nonsense'], 64],
  [['config', 'path']],
  [['doctor', '--offline'], 78],
  [['brcode', 'decode', code]],
  [['complete', '--', 'charge', '']],
  [['demo']],
];

/** `<id>` is a charge that has been paid. */
const online: readonly (readonly string[])[] = [
  ['charge', 'get', '<id>'],
  ['charge', 'get', '<id>', '-o', 'json'],
  ['charge', 'get', '<id>', '--jq', '.status'],
  ['charge', 'create', '--amount', '10,50'],
  ['charge', 'list', '--limit', '20'],
  ['charge', 'list', '--limit', '20', '-o', 'json'],
  ['charge', 'list', '--all', '-o', 'ndjson'],
  ['charge', 'list', '--all', '-o', 'csv'],
  ['withdraw', '--amount', '10,50', '--to', '52998224725', '--idempotency-key', 'lesson', '--yes', '--wait'],
  ['withdrawal', 'list'],
  ['withdrawal', 'status', 'lesson'],
];

/** Writes compiled code beside each chunk in `directory`. `program`: scripts/executable-training.ts, bundled. */
export async function train(program: string, directory: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'pixctl-lessons-'));
  let service: Record<string, string> = {};
  let sandbox: Lesson | null = null;
  const start = (words: readonly string[]): Lesson =>
    spawn(process.execPath, [program, directory, ...words], {
      env: { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, PIXCTL_KEYCHAIN: 'off', ...service },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  try {
    await lesson(start([]), []);
    for (const [words, exit] of offline) await lesson(start(words), words, exit);
    sandbox = start(['sandbox', 'start', '--port', '0', '--no-profile', '-o', 'json']);
    const { url, apiKey } = JSON.parse(await firstLine(sandbox)) as { url: string; apiKey: string };
    service = { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: apiKey, PIXCTL_MERCHANT: 'lesson' };
    const create = ['charge', 'create', '--amount', '20000', '-o', 'json'];
    const { id } = JSON.parse(await lesson(start(create), create)) as { id: string };
    for (const words of [['sandbox', 'pay', '<id>'], ...online]) {
      await lesson(start(words.map((word) => (word === '<id>' ? id : word))), words);
    }
    sandbox.kill('SIGTERM');
    await once(sandbox, 'exit');
  } finally {
    // It still runs if a lesson failed.
    sandbox?.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
}

type Lesson = ChildProcessByStdio<null, Readable, Readable>;

const firstLine = (child: Lesson): Promise<string> =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (status) => reject(new Error(`the sandbox of the lessons ended with ${status}`)));
  });

/** Returns what a lesson printed. One that does not end as it should is an error: it has taught something else. */
async function lesson(child: Lesson, words: readonly string[], exit = 0): Promise<string> {
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (status !== exit) throw new Error(`the lesson "${words.join(' ')}" ended with ${status}: ${err}`);
  return out;
}
