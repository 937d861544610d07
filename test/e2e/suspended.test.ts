/** What asks or waits at a shell's terminal, while its user suspends it with Ctrl-Z and takes it up again with `fg`. */
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { noPty, onWindows, skipped } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, node, programPath, run } from '../support/run.ts';

/** An interactive bash, which controls jobs. `shows` resolves once a text has come behind the one before. */
function openShell(extra: Record<string, string> = {}) {
  const home = emptyHome();
  const env = { ...cleanEnvironment(home, extra), TERM: 'xterm', PS1: 'READY> ', LC_ALL: 'C.UTF-8' };
  const shell = spawn('bash', ['--norc', '--noprofile', '-i'], { cols: 250, rows: 20, cwd: home, env });
  onTestFinished(() => shell.kill('SIGHUP'));
  let written = '';
  let from = 0;
  shell.onData((text) => {
    written += text;
  });
  const screen = () => stripVTControlCharacters(written);
  const shows = async (text: string) => {
    await expect.poll(() => screen().slice(from), { timeout: 20_000 }).toContain(text);
    from = screen().indexOf(text, from) + text.length;
  };
  /** How often the spinner was drawn. */
  const draws = () => written.split('\x1b[?2026h').length - 1;
  const hasCursor = () => written.lastIndexOf('\x1b[?25h') > written.lastIndexOf('\x1b[?25l');
  /** What the spinner shows, since `from` drawings. */
  const drawnSince = (from: number) =>
    written
      .split('\x1b[?2026h')
      .slice(from + 1)
      .flatMap((drawn) => stripVTControlCharacters(drawn.split('\x1b[?2026l')[0] ?? '').split(/[\r\n]+/));
  const resize = (columns: number) => shell.resize(columns, 20);
  return { type: (text: string) => shell.write(text), shows, hasCursor, draws, drawnSince, resize };
}

describe.skipIf(noPty !== null || onWindows)(skipped('a question after Ctrl-Z and fg', noPty), () => {
  it.each([
    ['Ctrl-C', '\x03', 'Interrupted at a question', 130],
    ['an answer', 'svc_test\r', 'could not be reached', 75],
  ])(
    'ends the run with %s, and the shell has its terminal back',
    async (_title, typed, told, code) => {
      const { type, shows } = openShell();
      await shows('READY> ');
      type(`${node} ${programPath()} login --base-url http://127.0.0.1:9\r`);
      await shows('API key');
      type('\x1a');
      await shows('READY> ');
      type('fg\r');
      await shows('login --base-url');
      type(typed);
      await shows(told);
      // Whoever types earlier may still be read by the program.
      await shows('READY> ');
      type('echo END"ED" $?\r');
      await shows(`ENDED ${code}`);
    },
    60_000,
  );
});

describe.skipIf(noPty !== null || onWindows)(skipped('the cursor that Ctrl-Z gives back', noPty), () => {
  it.each<[string, string, boolean]>([
    ['is not hidden again by a wait after bg, which draws nothing more', 'bg', false],
    ['goes again with a wait that draws on after fg (on Linux)', 'fg', process.platform === 'linux'],
  ])(
    '%s',
    async (_title, resume, goesOn) => {
      await using sandbox = await startSandbox();
      const service = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
      const created = await run(['charge', 'create', '--amount', '1050', '--jq', '.id'], { env: service });
      const id = created.stdout.trim();
      const { type, shows, hasCursor, draws } = openShell(service);
      await shows('READY> ');
      type(`${node} ${programPath()} charge wait ${id}\r`);
      await shows(`Waiting for ${id}`);
      await expect.poll(hasCursor).toBe(false);
      type('\x1a');
      await shows('READY> ');
      expect(hasCursor()).toBe(true);
      type(`${resume}\r`);
      await shows('charge wait');
      const drawn = draws();
      if (goesOn) {
        await shows(`Waiting for ${id}`);
        expect(hasCursor()).toBe(false);
      }
      sandbox.pay(id);
      // The end of the wait, after more time than a drawing takes.
      await shows('PAID');
      expect([hasCursor(), draws() > drawn]).toEqual([true, goesOn]);
    },
    60_000,
  );

  it.skipIf(process.platform !== 'linux')(
    'goes again with a line that fits a terminal made narrower meanwhile',
    async () => {
      await using sandbox = await startSandbox();
      const service = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
      const created = await run(['charge', 'create', '--amount', '1050', '--jq', '.id'], { env: service });
      const id = created.stdout.trim();
      const { type, shows, draws, drawnSince, resize } = openShell(service);
      await shows('READY> ');
      type(`${node} ${programPath()} charge wait ${id}\r`);
      await shows(`Waiting for ${id}`);
      type('\x1a');
      await shows('READY> ');
      resize(16);
      const before = draws();
      type('fg\r');
      await expect.poll(() => draws() - before, { timeout: 20_000 }).toBeGreaterThan(3);
      const lines = drawnSince(before);
      expect(lines.filter((line) => line.includes('Waiting'))).not.toEqual([]);
      expect(lines.filter((line) => line.length > 16)).toEqual([]);
      type('\x03');
    },
    60_000,
  );

  it('comes from a question with a list too', async () => {
    const { type, shows, hasCursor } = openShell({ PIXCTL_BASE_URL: 'http://127.0.0.1:9' });
    await shows('READY> ');
    type(`PIXCTL_API_KEY=svc_test ${node} ${programPath()} webhook add --url https://example.com/hooks\r`);
    await shows('Events to subscribe to');
    await expect.poll(hasCursor).toBe(false);
    type('\x1a');
    await shows('READY> ');
    expect(hasCursor()).toBe(true);
    type('fg\r');
    await shows('webhook add');
    type('\x03');
    await shows('Interrupted at a question');
    await shows('READY> ');
    expect(hasCursor()).toBe(true);
  }, 60_000);
});
