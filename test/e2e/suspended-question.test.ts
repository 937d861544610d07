/** A question at a shell's terminal that its user suspends with Ctrl-Z, and takes up again with `fg`. */
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noPty, onWindows, skipped } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, node, programPath } from '../support/run.ts';

/** An interactive bash, which controls jobs. `shows` resolves once a text has come behind the one before. */
function openShell(home: string) {
  const env = { ...cleanEnvironment(home), TERM: 'xterm', PS1: 'READY> ', LC_ALL: 'C.UTF-8' };
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
  return { type: (text: string) => shell.write(text), shows };
}

describe.skipIf(noPty !== null || onWindows)(skipped('a question after Ctrl-Z and fg', noPty), () => {
  it.each([
    ['Ctrl-C', '\x03', 'Interrupted at a question', 130],
    ['an answer', 'svc_test\r', 'could not be reached', 75],
  ])(
    'ends the run with %s, and the shell has its terminal back',
    async (_title, typed, told, code) => {
      const { type, shows } = openShell(emptyHome());
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
