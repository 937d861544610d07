/** A request as a line for a shell. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { describe, expect, it } from 'vitest';
import { formatCurl, shellQuote } from '../../src/page/curl.ts';
import { noPty, onWindows, skipped } from '../support/platform.ts';
import { emptyHome } from '../support/run.ts';

const get = (url: string) => formatCurl({ method: 'GET', url, headers: [], body: null, keyed: false });

it.each(['http://127.0.0.1:1/?after=[1-3]', 'http://127.0.0.1:1/{a,b}'])(
  'asks once for %s, which curl by itself takes for several addresses',
  (url) => expect(get(url)).toBe(`curl -g '${url}'`),
);

it('is as short as it can be for another address', () =>
  expect(get('http://127.0.0.1:1/a')).toBe('curl http://127.0.0.1:1/a'));

it
  .skipIf(onWindows)
  .each([
    "it's",
    'back\\slash \\n',
    'two\nlines\tand a tab',
    '\u001b[201~\u0003\r',
    "it's \\ \u007f7 \u009b1 \u0085é漢",
  ])('is read back by a shell as what it was: %j', (text) => {
  const read = execFileSync('bash', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' });
  expect(read).toBe(text);
});

describe.skipIf(noPty !== null || onWindows)(skipped('pasted into a shell', noPty), () => {
  it('runs nothing before Enter, though a body has what ends a paste', async () => {
    const home = emptyHome();
    const line = formatCurl({
      method: 'POST',
      url: 'http://127.0.0.1:1/',
      headers: [],
      body: '\u001b[201~\u0015>ran\n',
      keyed: false,
    });
    const shell = spawn('bash', ['--norc', '--noprofile', '-i'], {
      cwd: home,
      env: { HOME: home, PATH: process.env.PATH ?? '', TERM: 'xterm', PS1: 'READY> ', LC_ALL: 'C.UTF-8' },
    });
    let screen = '';
    shell.onData((text) => {
      screen += text;
    });
    const shows = (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => screen.includes(text) && resolve();
        shell.onData(look);
        look();
      });
    await shows('READY> ');
    shell.write(`\u001b[200~${line}\u001b[201~\u0015echo FIN"ISHED"\n`);
    await shows('FINISHED');
    shell.kill('SIGKILL');
    expect(existsSync(join(home, 'ran'))).toBe(false);
  });
});
