/** `pixctl sandbox clock|fault|snapshot|restore` as a user runs them, against a sandbox in this process. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';
import { modeOf, noSignals, skipped } from '../../support/platform.ts';
import { cleanEnvironment, emptyHome, programPath, run, start } from '../../support/run.ts';

let sandbox: Sandbox;
const home = emptyHome();
const pixctl = (...args: string[]) =>
  run(['sandbox', ...args], {
    home,
    env: { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey },
  });

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A file system of its own without room for more than a state; null where this user may not mount one. */
const full = mountSmall();
afterAll(() => {
  if (full !== null) execFileSync('umount', ['-l', full]);
});

function mountSmall(): string | null {
  const path = mkdtempSync(join(home, 'full-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return path;
}

/** Writes until nothing more goes in; the file is to be removed. */
function fill(directory: string): string {
  const file = join(directory, 'full');
  const open = openSync(file, 'w');
  try {
    for (;;) writeSync(open, Buffer.alloc(4096));
  } catch {
    closeSync(open);
  }
  return file;
}

describe('the clock', () => {
  it('is frozen, moved and unfrozen', async () => {
    const frozen = await pixctl('clock', 'freeze', '-o', 'json');
    expect(JSON.parse(frozen.stdout)).toMatchObject({ mode: 'frozen' });
    const before = sandbox.clock.now();
    const moved = await pixctl('clock', 'advance', '24h', '-o', 'json');
    expect(moved).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing was due.'),
    });
    expect(JSON.parse(moved.stdout)).toMatchObject({ mode: 'frozen', settled: true });
    expect(sandbox.clock.now() - before).toBe(86_400_000);
    expect((await pixctl('clock', 'unfreeze')).stdout).toContain('offset');
    expect((await pixctl('clock', 'get')).stdout).toContain('offset');
  });

  it('does not call it nothing that a charge expired meanwhile', async () => {
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    const made = await run(['charge', 'create', '--amount', '1050', '-o', 'json'], { home, env });
    const { stderr } = await pixctl('clock', 'advance', '25h');
    const { id } = JSON.parse(made.stdout);
    expect((await run(['charge', 'get', id, '-o', 'json'], { home, env })).stdout).toContain('"EXPIRED"');
    expect(stderr).toContain('A charge whose time has passed is EXPIRED from now on');
  });

  it.each([
    [['clock', 'advance', 'tomorrow'], 64, 'not a duration'],
    [['clock', 'advance', '367d'], 64, 'at most 366d'],
  ])('%o ends with %i', async (args, code, words) => {
    expect(await pixctl(...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
  });
});

describe('faults', () => {
  it('are put in force, listed and cleared', async () => {
    const added = await pixctl(
      'fault',
      'add',
      '--preset',
      'lost-response',
      '--on',
      'createWithdrawal',
      '-o',
      'json',
    );
    expect(JSON.parse(added.stdout)).toMatchObject([
      { id: 'fault_1', rule: { operations: ['createWithdrawal'], times: 1, preset: 'lost-response' } },
    ]);
    expect(sandbox.faults.list()).toHaveLength(1);
    const listed = await pixctl('fault', 'list');
    expect(listed.stdout).toMatch(
      /fault_1\tapi\tcreateWithdrawal\treset when=after\tpreset=lost-response times=1\t0\tin force/,
    );
    expect((await pixctl('fault', 'list', '--presets')).stdout).toContain('deploy-30s');
    expect((await pixctl('fault', 'clear', 'fault_1')).stderr).toContain('1 fault cleared');
    expect(sandbox.faults.list()).toEqual([]);
  });

  it('with a --value put that value into the answers, an empty one too', async () => {
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    const charge = async (...args: string[]) =>
      JSON.parse((await run(['charge', ...args, '-o', 'json'], { home, env })).stdout);
    const { id } = await charge('create', '--amount', '1050');
    const seen = () => charge('get', id);
    await pixctl('fault', 'add', '--effect', 'unknown-status', '--value', 'FROZEN');
    expect(await seen()).toMatchObject({ status: 'FROZEN' });
    await pixctl('fault', 'add', '--effect', 'unknown-field', '--name', 'note', '--value', '');
    expect(await seen()).toMatchObject({ status: 'FROZEN', note: '' });
    await pixctl('fault', 'clear');
  });

  it('are listed with a value that is not text as JSON', async () => {
    const effect = { kind: 'unknown-field', value: { rate: 1 } } as const;
    sandbox.faults.add({ target: 'api', effect });
    expect((await pixctl('fault', 'list')).stdout).toContain(
      'unknown-field name=addedInBeta value={"rate":1}',
    );
    sandbox.faults.clear();
  });

  it.each([
    [['fault', 'add'], 64],
    [['fault', 'add', '--effect', 'reset', '--copies', '2'], 64],
    [['fault', 'add', '--preset', 'nothing-known'], 64],
    [['fault', 'clear', 'fault_99'], 88],
  ])('%o ends with %i', async (args, code) => {
    expect((await pixctl(...args)).code).toBe(code);
  });
});

describe('a snapshot', () => {
  it('lies in a private file, is not written over, and brings everything back', async () => {
    const file = join(home, 'before.db');
    sandbox.seed({ charges: 3, customers: 1 });
    expect((await pixctl('snapshot', file)).code).toBe(0);
    expect(modeOf(file, '600')).toBe('600');
    const kept = readFileSync(file);
    expect((await pixctl('snapshot', file)).code).toBe(64);
    expect(readFileSync(file).equals(kept)).toBe(true);
    expect((await pixctl('snapshot', file, '--force')).code).toBe(0);
    const { length } = sandbox.events();
    await sandbox.reset();
    expect((await pixctl('restore', file)).code).toBe(0);
    expect(sandbox.events()).toHaveLength(length);
  });

  it('taken by several at once is whole, and only --force lets more than one have it', async () => {
    const folder = mkdtempSync(join(home, 'many-'));
    const codes = async (...args: string[]) =>
      (await Promise.all([1, 2, 3, 4].map(() => pixctl('snapshot', ...args)))).map(({ code }) => code).sort();
    expect(await codes(join(folder, 'one.db'))).toEqual([0, 64, 64, 64]);
    expect(await codes(join(folder, 'forced.db'), '--force')).toEqual([0, 0, 0, 0]);
    expect(readdirSync(folder).sort()).toEqual(['forced.db', 'one.db']);
    for (const file of ['one.db', 'forced.db'])
      expect((await pixctl('restore', join(folder, file))).code).toBe(0);
  });

  it('never overwrites a state that runs or was killed, and none of those is restored', async () => {
    const file = join(home, 'state.db');
    const other = await startSandbox({ state: file });
    try {
      const before = readFileSync(file);
      const saved = await pixctl('snapshot', file, '--force');
      expect(saved).toMatchObject({
        code: 64,
        stderr: expect.stringContaining(
          `Next to ${file} is ${file}-wal, of a state whose sandbox is running or was killed; a snapshot there would be mixed with it. Nothing was written.`,
        ),
      });
      expect(readFileSync(file).equals(before)).toBe(true);
      const { code, stderr } = await pixctl('restore', file);
      expect(code).toBe(64);
      expect(stderr).toContain('its latest changes are only in there. Nothing was changed.');
    } finally {
      await other.close();
    }
    expect((await pixctl('restore', file)).code).toBe(0);
    expect((await pixctl('snapshot', file, '--force')).code).toBe(0);
  });

  it('is restored from stdin too', async () => {
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    const input = sandbox.snapshot();
    const { code, stderr } = await run(['sandbox', 'restore', '-'], { home, env, input });
    expect([code, stderr]).toEqual([0, expect.stringContaining('as it was when this snapshot was taken')]);
  });

  it('whose folder does not exist names the file that was asked for, and no other', async () => {
    const file = join(home, 'missing', 'before.db');
    const { code, stderr } = await pixctl('snapshot', file);
    expect([code, stderr]).toEqual([74, expect.stringContaining(`${file} could not be written (ENOENT).`)]);
  });

  it('is not written to stdout, nor to a file that is named as if it were', async () => {
    const { code, stderr } = await pixctl('snapshot', '-');
    expect([code, stderr]).toEqual([64, expect.stringContaining('written to a file, not to stdout')]);
    expect(existsSync('-')).toBe(false);
  });

  it('may have a name as long as the file system takes', async () => {
    expect(await pixctl('snapshot', join(home, 'n'.repeat(255)))).toMatchObject({ code: 0 });
  });

  it('that is not one is refused', async () => {
    const file = join(home, 'text.db');
    writeFileSync(file, 'no database');
    expect(await pixctl('restore', file)).toMatchObject({
      code: 80,
      stderr: expect.stringContaining('not a snapshot'),
    });
    expect((await pixctl('restore', join(home, 'missing.db'))).code).toBe(64);
    const { stdout: help } = await pixctl('restore', '--help');
    expect(help.match(/^ {2}\d+(?= )/gm)?.map(Number)).toEqual([1, 64, 74, 75, 77, 78, 80, 81]);
  });

  it.runIf(full !== null)('without room where it is created says where, and changes nothing', async () => {
    const file = join(home, 'good.db');
    expect((await pixctl('snapshot', file)).code).toBe(0);
    const before = sandbox.events().length;
    const directory = `${full}`;
    const filling = fill(directory);
    vi.stubEnv('TMPDIR', directory);
    const words = `The temporary directory ${directory} has no room for the snapshot; nothing was changed.`;
    for (const [verb, name] of [
      ['snapshot', join(home, 'other.db')],
      ['restore', file],
    ] as const) {
      const { code, stderr } = await pixctl(verb, name);
      expect({ code, stderr }).toEqual({ code: 74, stderr: expect.stringContaining(words) });
      expect(stderr).toContain('TMPDIR');
    }
    expect(readdirSync(home)).not.toContain('other.db');
    expect(readdirSync(directory)).toEqual(['full']);
    rmSync(filling);
    expect(sandbox.events()).toHaveLength(before);
  });

  it('that has nowhere to be made says so', async () => {
    const missing = join(home, 'missing');
    const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';
    vi.stubEnv(variable, missing);
    const { code, stderr } = await pixctl('snapshot', join(home, 'other.db'), '-o', 'json');
    expect([code, JSON.parse(stderr).error]).toMatchObject([
      74,
      {
        message: expect.stringContaining(`The temporary directory ${missing} cannot be written`),
        hint: expect.stringContaining(`${variable} naming`),
      },
    ]);
  });
});

it('says so when no sandbox answers', async () => {
  const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: sandbox.apiKey };
  expect(await run(['sandbox', 'clock', 'get'], { home, env })).toMatchObject({
    code: 75,
    stderr: expect.stringContaining('No sandbox answers at http://127.0.0.1:9'),
  });
});

describe.skipIf(process.platform === 'win32')('a snapshot that the disk has no room for', () => {
  const onFullDisk = async (...args: string[]) => {
    const command = [process.execPath, programPath(), 'sandbox', 'snapshot', ...args];
    const child = spawn('sh', ['-c', 'ulimit -f 8; exec "$@"', 'sh', ...command], {
      env: cleanEnvironment(home, { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey }),
    });
    const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
    return { code, stderr };
  };

  it('leaves no half of one, and the earlier one as it was', async () => {
    const folder = mkdtempSync(join(home, 'full-'));
    const file = join(folder, 'new.db');
    expect(await onFullDisk(file)).toEqual({
      code: 74,
      stderr: expect.stringContaining('Check its directory and the space on its disk, or name another file.'),
    });
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(file, 'the earlier one');
    expect(await onFullDisk(file, '--force')).toMatchObject({ code: 74 });
    expect(readdirSync(folder)).toEqual(['new.db']);
    expect(readFileSync(file, 'utf8')).toBe('the earlier one');
  });
});

describe.runIf(full !== null)('a sandbox whose state lies on a full disk', () => {
  it('says so to whoever asks for something, and does it once there is room', async () => {
    const told: unknown[] = [];
    const onError = (error: unknown) => told.push(error);
    await using poor = await startSandbox({ state: join(`${full}`, 'state.db'), onError });
    const env = { PIXCTL_BASE_URL: poor.url, PIXCTL_API_KEY: poor.apiKey };
    const seed = () => run(['sandbox', 'seed', '--charges', '100'], { home, env });
    const filling = fill(`${full}`);
    expect(await seed()).toMatchObject({
      code: 74,
      stderr: expect.stringContaining('The sandbox cannot use its state: database or disk is full.'),
    });
    expect(told).toHaveLength(1);
    const charge = await run(['charge', 'create', '--amount', '10,50', '--no-qr'], { home, env });
    expect(charge).toMatchObject({
      code: 81,
      stderr: expect.stringContaining(
        'INTERNAL_ERROR: this sandbox cannot use its state: database or disk is full.',
      ),
    });
    rmSync(filling);
    expect((await seed()).code).toBe(0);
  });

  it('does not start, and says what to do', async () => {
    const filling = fill(`${full}`);
    await expect(startSandbox({ state: join(`${full}`, 'new.db') })).rejects.toMatchObject({
      code: 'STATE_UNUSABLE',
      hint: 'Make room there, or name another file.',
    });
    rmSync(filling);
  });

  it.skipIf(noSignals !== null)(
    skipped('ends as asked, says why less is kept, and goes on from there', noSignals),
    async () => {
      const state = join(`${full}`, 'ended.db');
      const child = start(['sandbox', 'start', '--no-profile', '--state', state, '-o', 'json'], { home });
      const ended = once(child, 'close');
      const [line] = await once(child.stdout, 'data');
      const filling = fill(`${full}`);
      child.kill('SIGTERM');
      const [stderr, [code]] = await Promise.all([text(child.stderr), ended]);
      expect(stderr).toMatch(/^The sandbox cannot use its state: database or disk is full\. .*\n$/);
      expect(code).toBe(0);
      rmSync(filling);
      await using again = await startSandbox({ state });
      expect(again.apiKey).toBe(JSON.parse(String(line)).apiKey);
    },
  );
});

describe('a sandbox that is slow', () => {
  const answering = async (
    answer: (path: string, child: () => ReturnType<typeof start>) => object | null,
    ...args: string[]
  ) => {
    const server = createServer((request, response) => {
      const body = answer(request.url ?? '', () => child);
      if (body !== null) response.writeHead(200, { 'x-sandbox': 'pixctl' }).end(JSON.stringify(body));
    });
    const port = await listenOnLoopback(server);
    const env = { PIXCTL_BASE_URL: `http://127.0.0.1:${port}`, PIXCTL_API_KEY: sandbox.apiKey };
    const child = start(['sandbox', ...args], { home, env });
    const ended = once(child, 'close');
    const [stderr] = await Promise.all([text(child.stderr), text(child.stdout)]);
    const [code] = await ended;
    server.closeAllConnections();
    server.close();
    return { code, stderr };
  };

  it('and has not done all that was due ends an advance with 82', async () => {
    const clock = {
      now: '2026-01-02T03:04:05.000Z',
      mode: 'running',
      offsetMs: 1_000,
      ran: 1,
      settled: false,
    };
    const { code, stderr } = await answering(() => clock, 'clock', 'advance', '1s');
    expect(code).toBe(82);
    expect(stderr).toContain(
      'The clock was moved, but some of the work that became due has not finished yet.',
    );
  });

  it.skipIf(noSignals !== null)(
    skipped('is not taken for none when a signal ends the question', noSignals),
    async () => {
      const { code, stderr } = await answering((_, child) => {
        child().kill('SIGINT');
        return null;
      }, 'assumptions');
      expect(code).toBe(130);
      expect(stderr).not.toContain('No sandbox is running');
    },
  );
});
