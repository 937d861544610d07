/** Files that the command line names, among them pipes, whose end may never come. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInputFile as readInput } from '../../src/runtime/input-file.ts';
import { memoryIo } from '../support/memory-io.ts';
import { emptyHome, start } from '../support/run.ts';

const readInputFile = (
  runtime: Parameters<typeof readInput>[0],
  path: string,
  options: Partial<Parameters<typeof readInput>[2]> = {},
) => readInput(runtime, path, { atMost: 1_000_000, ...options });

const noPipes = process.platform === 'win32';

function setup() {
  const home = emptyHome();
  const controller = new AbortController();
  return { path: join(home, 'input'), controller, runtime: { io: memoryIo(), signal: controller.signal } };
}

it('a file is read whole, after a signal too', async () => {
  const { path, controller, runtime } = setup();
  writeFileSync(path, 'a;b\n');
  controller.abort('SIGINT');
  expect(Buffer.from(await readInputFile(runtime, path)).toString()).toBe('a;b\n');
});

it('a file that is larger than it may be is not read', async () => {
  const { path, runtime } = setup();
  writeFileSync(path, 'x'.repeat(5_000));
  expect(await readInputFile(runtime, path, { atMost: 5_000 })).toHaveLength(5_000);
  await expect(readInputFile(runtime, path, { atMost: 4_999 })).rejects.toMatchObject({
    kind: 'data',
    message: `The input is too large: ${path} has more than 4.999 KB, the most that is read here. Nothing was sent.`,
  });
});

it.each(['none', 'none/at/all', 'nul\0'])('what cannot be read, like %j, is a usage error', async (name) => {
  const { path, runtime } = setup();
  await expect(readInputFile(runtime, `${path}${name}`)).rejects.toMatchObject(
    name.includes('\0') ? { code: 'ERR_INVALID_ARG_VALUE' } : { kind: 'usage' },
  );
});

describe.skipIf(noPipes)('a device', () => {
  it('is refused where its end never comes, and the null device is empty', async () => {
    const { runtime } = setup();
    await expect(readInputFile(runtime, '/dev/zero')).rejects.toMatchObject({
      kind: 'usage',
      message: 'The file /dev/zero cannot be read: it is a device. Nothing was sent.',
    });
    expect(await readInputFile(runtime, '/dev/null')).toHaveLength(0);
  });

  it('such as a socket, which cannot be opened, is reported as such', async () => {
    const { path, runtime } = setup();
    const server = createServer().listen(path);
    await once(server, 'listening');
    await expect(readInputFile(runtime, path)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('it is a socket'),
    });
    server.close();
  });
});

describe.skipIf(noPipes)('a pipe with a name', () => {
  function piped() {
    const made = setup();
    execFileSync('mkfifo', [made.path]);
    return made;
  }

  it('is read to its end, though its writer comes later and writes in pieces', async () => {
    const { path, runtime } = piped();
    const read = readInputFile(runtime, path);
    await appendFile(path, 'x'.repeat(100_000));
    expect(await read).toHaveLength(100_000);
  });

  it.each([
    ['SIGINT', 'interrupted'],
    ['SIGTERM', 'terminated'],
  ])('is given up at %s', async (signal, kind) => {
    const { path, controller, runtime } = piped();
    const read = readInputFile(runtime, path);
    setImmediate(() => controller.abort(signal));
    await expect(read).rejects.toMatchObject({ kind, message: expect.stringContaining(path) });
  });

  it('is given up once it is too large, though its writer goes on', async () => {
    const { path, runtime } = piped();
    const read = readInputFile(runtime, path, { atMost: 100_000 });
    const write = appendFile(path, Buffer.alloc(1_000_000)).catch(({ code }: { code: string }) => code);
    await expect(read).rejects.toMatchObject({
      kind: 'data',
      message: expect.stringContaining('has more than 100 KB'),
    });
    expect(await write).toBe('EPIPE');
  });

  it('is read on where its reader asks for that', async () => {
    const { path, controller, runtime } = piped();
    controller.abort('SIGINT');
    const read = readInputFile(runtime, path, { despiteSignals: true });
    await appendFile(path, 'end');
    expect(Buffer.from(await read).toString()).toBe('end');
  });

  it('keeps no process alive that was interrupted', async () => {
    const { path } = piped();
    const child = start(['reconcile', '--orders', path], {
      env: { PIXCTL_BASE_URL: 'http://127.0.0.1:1', PIXCTL_API_KEY: 'svc_0123456789' },
    });
    let told = '';
    child.stderr.on('data', (text) => {
      told += text;
    });
    const ended = once(child, 'exit');
    // It has opened the pipe once this does not wait any longer for a reader.
    const writer = await open(path, 'w');
    child.kill('SIGINT');
    const [code] = await ended;
    await writer.close();
    expect(code, told).toBe(130);
    expect(told).toContain('Nothing was sent.');
  });
});

it.skipIf(noPipes)('stdin is stdin, by whichever name', async () => {
  const { runtime } = setup();
  const io = { ...runtime.io, readInput: async () => new TextEncoder().encode('from stdin') };
  for (const name of ['-', '/dev/stdin', '/dev/fd/0'])
    expect(Buffer.from(await readInputFile({ ...runtime, io }, name)).toString()).toBe('from stdin');
});
