/** The real streams, seen from outside: pipes that close, disks that are full, shells without a terminal. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { converse } from '../../support/converse.ts';
import { source } from '../../support/few-files.ts';
import { noPty, noShell, skipped } from '../../support/platform.ts';
import { cleanEnvironment, emptyHome, node, programPath, run } from '../../support/run.ts';

const sh = (line: string, extra: Record<string, string> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...cleanEnvironment(emptyHome()), NODE: process.execPath, PIXCTL: programPath(), ...extra };
    execFile('bash', ['-c', line], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

describe.skipIf(noShell !== null)(skipped('a reader that goes away', noShell), () => {
  it('ends the program quietly, with 0', async () => {
    const line = 'set -o pipefail; "$NODE" "$PIXCTL" help exit-codes -o ndjson | head -n 1; echo $?';
    expect(await sh(line)).toEqual({
      code: 0,
      stdout:
        '{"exit":0,"name":"ok","meaning":"success (also an empty list, or a replayed idempotency key)","next":"continue"}\n0\n',
      stderr: '',
    });
  });

  it('is no trouble when it never was there', async () => {
    const { code, stderr } = await sh('"$NODE" "$PIXCTL" help exit-codes >&-; exit $?');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe.skipIf(noShell !== null)(skipped('output that a pipe does not take at once', noShell), () => {
  it('arrives whole and in order, as it does in a file', async () => {
    const { stdout } = await sh('"$NODE" "$PIXCTL" completion powershell | cat');
    const file = await sh('f=$(mktemp); "$NODE" "$PIXCTL" completion powershell > "$f"; cat "$f"; rm "$f"');
    expect(stdout.length).toBeGreaterThan(4096);
    expect(stdout).toBe(file.stdout);
  });
});

describe('a full disk', () => {
  it
    .skipIf(!existsSync('/dev/full'))
    .each([
      'help exit-codes -o json',
      '--help',
      '--version',
      'completion fish',
      'completion powershell',
      'completion bash',
    ])('is no success for %s', async (words) => {
    const { code, stderr } = await sh(`"$NODE" "$PIXCTL" ${words} > /dev/full`);
    expect(code).toBe(1);
    expect(stderr).toContain('the output is incomplete');
  });
});

describe('without HOME, TERM and stdin, as in cron', () => {
  it('commands that need none of them work', async () => {
    const child = spawn(process.execPath, [programPath(), 'help', 'amounts'], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(0);
    expect(out).toContain('R$ 10,50');
  });
});

describe.skipIf(noPty !== null)(skipped('a table', noPty), () => {
  it.each([60, 100, 160])('is as wide as a terminal of %i columns lets it be', async (columns) => {
    const { screen } = await converse(['help', 'commands'], [], { home: emptyHome(), columns });
    const widest = Math.max(...screen.split(/\r?\n/).map((line) => line.length));
    expect(widest).toBeLessThanOrEqual(columns);
    expect(widest).toBeGreaterThan(columns - 20);
  });
});

describe('colour', () => {
  it.each([
    ['is not written to a pipe', {}, [], false],
    ['is with FORCE_COLOR', { FORCE_COLOR: '1' }, [], true],
    ['is not with NO_COLOR, whatever else is set', { FORCE_COLOR: '1', NO_COLOR: '1' }, [], false],
    ['is not with --no-color', { FORCE_COLOR: '1' }, ['--no-color'], false],
    ['is not with FORCE_COLOR=0', { FORCE_COLOR: '0' }, [], false],
    ['is not with FORCE_COLOR=false', { FORCE_COLOR: 'false' }, [], false],
  ])('%s', async (_title, env, args, coloured) => {
    const { stderr } = await run(['whoami', ...args], { env });
    expect(stderr.includes('\x1b[')).toBe(coloured);
  });

  it.skipIf(process.platform === 'win32')('is never written to a piped stdout, whatever is forced', () => {
    const asked = `import { systemIo } from ${source('terminal/streams/system-io')};
      const io = systemIo(process.env, {}); await io.write(String([io.colour('stdout'), io.colour('stderr')]));`;
    const env = { ...cleanEnvironment(emptyHome()), FORCE_COLOR: '1' };
    const { stdout } = spawnSync(node, ['--input-type=module', '-e', asked], { encoding: 'utf8', env });
    expect(stdout).toBe('false,true');
  });
});

it.skipIf(process.platform === 'win32')(
  'a suspension is told to all who asked, before and after it',
  async () => {
    const child = spawn(node, [
      '--input-type=module',
      '-e',
      `import { writeSync } from 'node:fs'; import { systemIo } from ${source('terminal/streams/system-io')};
     const io = systemIo({}, {});
     for (const name of ['a', 'b']) io.onSuspend(() => writeSync(1, '-' + name), () => writeSync(1, '+' + name));
     io.onSuspend(() => writeSync(1, 'never'), () => {})();
     setInterval(() => {}, 60_000); writeSync(1, 'ready ');`,
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    await expect.poll(() => out, { timeout: 10_000 }).toBe('ready ');
    child.kill('SIGTSTP');
    await expect.poll(() => out, { timeout: 10_000 }).toContain('-b');
    // Again and again, because the first may come just before it stops.
    await expect.poll(() => child.kill('SIGCONT') && out, { timeout: 10_000 }).toContain('+b');
    expect(out).toBe('ready -a-b+a+b');
  },
);
