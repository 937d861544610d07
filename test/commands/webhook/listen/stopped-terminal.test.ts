/** Ctrl-S, a selection, a terminal that hangs: its user has stopped what is shown, and not what is received. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { describe, expect, it } from 'vitest';
import { deliver, eventBody, testSecret } from '../../../support/delivery.ts';
import { noPty, skipped } from '../../../support/platform.ts';
import { cleanEnvironment, emptyHome, programPath } from '../../../support/run.ts';

/** More lines than a terminal takes that nobody reads. */
const many = 500;

describe.skipIf(noPty !== null)(skipped('a listener whose terminal has stopped', noPty), () => {
  it('answers every delivery, shows them all once it goes on, and ends when it is asked to', async () => {
    const home = emptyHome();
    const secret = join(home, 'secret');
    writeFileSync(secret, testSecret, { mode: 0o600 });
    const terminal = spawn(
      process.execPath,
      [programPath(), 'webhook', 'listen', '--port', '0', '--secret-file', secret],
      { cols: 200, rows: 20, env: { ...cleanEnvironment(home), TERM: 'xterm' } },
    );
    const runs = () => {
      try {
        return kill(terminal.pid, 0);
      } catch {
        return false;
      }
    };
    try {
      let screen = '';
      terminal.onData((text) => {
        screen += stripVTControlCharacters(text);
      });
      const shown = () => screen.match(/evt_\d+/g)?.length ?? 0;
      const address = () => /Listening on (http:\S+)[\s\S]*Ctrl-C stops it/.exec(screen)?.[1];
      await expect.poll(address, { timeout: 10_000 }).toBeDefined();
      const url = address() ?? '';

      terminal.pause();
      const statuses = new Set<number>();
      for (let id = 1; id <= many; id += 1) {
        statuses.add((await deliver(url, eventBody(`evt_${id}`))).status);
      }
      expect([...statuses]).toEqual([200]);
      terminal.resume();
      await expect.poll(shown, { timeout: 10_000 }).toBe(many);

      terminal.pause();
      for (let id = 1; id <= many; id += 1) await deliver(url, eventBody(`evt_1${id}`));
      terminal.kill('SIGTERM');
      await expect.poll(runs, { timeout: 15_000 }).toBe(false);
    } finally {
      if (runs()) terminal.kill('SIGKILL');
    }
  }, 60_000);
});
