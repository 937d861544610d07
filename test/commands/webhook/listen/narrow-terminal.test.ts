/** What `webhook listen` shows in windows of the usual widths. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { describe, expect, it } from 'vitest';
import { deliver, testSecret } from '../../../support/delivery.ts';
import { noPty, skipped } from '../../../support/platform.ts';
import { alwaysAnswering } from '../../../support/receiver.ts';
import { cleanEnvironment, emptyHome, programPath } from '../../../support/run.ts';

const id = 'evt_0123456789abcdefghijklmn';
const body = JSON.stringify({
  id,
  event: 'WITHDRAWAL_COMPLETED',
  createdAt: '2026-01-02T03:04:05.000Z',
  data: { id: 'wd_1', amount: 12_345, status: 'COMPLETED' },
});

describe.skipIf(noPty !== null)(skipped('the line of an event', noPty), () => {
  it.each([
    [60, [/^[\d:]{8} {2}WITHDRAWAL_COMPLETED {2}-> 500 in \d+ ms$/, /^ {10}evt_\w+$/, /^ {10}kept, and/]],
    [80, [/^[\d:]{8} {2}WITHDRAWAL_COMPLETED {2}evt_\w+ {2}-> 500 in \d+ ms$/, /^ {10}kept, and/]],
    [120, [/^[\d:]{8} .* evt_\w+ {2}R\$ 123,45 {5}COMPLETED {2}-> 500 in \d+ ms$/, /^ {10}kept, and/]],
  ])('fits a terminal of %i columns', async (columns, expected) => {
    const application = await alwaysAnswering(() => 500);
    const home = emptyHome();
    const secret = join(home, 'secret');
    writeFileSync(secret, testSecret, { mode: 0o600 });
    const args = ['webhook', 'listen', '--port', '0', '--secret-file', secret, '-f', application.url];
    const terminal = spawn(process.execPath, [programPath(), ...args], {
      ...{ cols: columns, rows: 20, cwd: home },
      env: { ...cleanEnvironment(home), TERM: 'xterm' },
    });
    const ended = new Promise((resolve) => terminal.onExit(resolve));
    try {
      let screen = '';
      terminal.onData((text) => {
        screen += stripVTControlCharacters(text);
      });
      const address = () => /Listening on (http:\S+)[\s\S]*Ctrl-C stops it/.exec(screen)?.[1];
      await expect.poll(address).toBeDefined();
      await deliver(address() ?? '', body);
      await expect.poll(() => screen).toContain('be sent again\r\n');
      const lines = screen.split('\r\n');
      const from = lines.findIndex((line) => line.includes('WITHDRAWAL_COMPLETED'));
      for (const [at, form] of expected.entries()) expect(lines[from + at]).toMatch(form);
      for (const line of lines.slice(from, from + expected.length))
        expect(line.length).toBeLessThanOrEqual(columns);
    } finally {
      terminal.kill();
      await ended;
      await application.close();
    }
  });
});
