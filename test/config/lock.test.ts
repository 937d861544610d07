/** The lock of the settings: held by one, taken over from a process that is gone, never from one that runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { type Files, withFileLock } from '../../src/config/lock.ts';
import { removeHint } from '../../src/flags/file-remedies.ts';
import { createLightSystem } from '../../src/owner/create-owners.ts';

const source = new URL('../../src/config/lock.ts', import.meta.url).href;
const boot = await createLightSystem().boot();
let path: string;
let waited: number;
const clock: Clock = {
  now: () => Date.now() + waited,
  monotonic: () => waited,
  sleep: async (ms) => {
    waited += ms;
    await new Promise((resolve) => setImmediate(resolve));
  },
};
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'pixctl-lock-')), 'config.json');
  waited = 0;
});

/** A process that takes the lock and then does `what` inside of it. */
const holder = (what: string) =>
  spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { withFileLock } from ${JSON.stringify(source)}; await withFileLock(${JSON.stringify(path)}, () => { ${what} });`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );

describe('the lock of the settings', () => {
  it('is taken over at once from a process that was killed while it held it', async () => {
    const child = holder("process.kill(process.pid, 'SIGKILL')");
    await once(child, 'close');
    expect(existsSync(`${path}.lock`)).toBe(true);
    expect(await withFileLock(path, () => 'done', clock)).toBe('done');
    // The stale time is ten seconds of this clock.
    expect(waited).toBeLessThan(1_000);
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('is waited for as long as its holder runs, however old the file may seem within ten seconds', async () => {
    const child = holder(
      "process.stdout.write('in'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
    );
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    const taken = withFileLock(path, () => 'done', clock);
    while (waited < 2_000) await new Promise((resolve) => setImmediate(resolve));
    expect(readFileSync(`${path}.lock`, 'utf8')).toContain(`"pid":${child.pid}`);
    child.kill('SIGKILL');
    await closed;
    expect(await taken).toBe('done');
  });

  it.each([
    ['empty, by a kill between its making and its name', ''],
    ['of another host', '{"host":"elsewhere","boot":"b","pid":1,"started":"1"}'],
  ])('%s, is taken over after ten seconds', async (_, text) => {
    writeFileSync(`${path}.lock`, text);
    expect(await withFileLock(path, () => 'done', clock)).toBe('done');
    expect(waited).toBeGreaterThan(5_000);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  // Where the system tells no start of the machine, nothing tells the two apart.
  it.skipIf(boot === '')(
    'of another machine that has the name of this one too, is not taken for left behind',
    async () => {
      const child = holder("process.kill(process.pid, 'SIGKILL')");
      await once(child, 'close');
      const left = readFileSync(`${path}.lock`, 'utf8');
      writeFileSync(`${path}.lock`, left.replaceAll(boot, '00000000-0000-4000-8000-000000000000'));
      expect(await withFileLock(path, () => 'done', clock)).toBe('done');
      expect(waited).toBeGreaterThan(5_000);
    },
  );

  it('is taken over when it was made before the clock was set back', async () => {
    writeFileSync(`${path}.lock`, '');
    utimesSync(`${path}.lock`, Date.now() / 1_000, Date.now() / 1_000 + 3_600);
    expect(await withFileLock(path, () => 'done', clock)).toBe('done');
  });

  it('that others hold one after the other for 15 seconds is reported, with what to do', async () => {
    const busy: Clock = {
      ...clock,
      async sleep(ms) {
        utimesSync(`${path}.lock`, busy.now() / 1_000, busy.now() / 1_000);
        await clock.sleep(ms);
      },
    };
    writeFileSync(`${path}.lock`, '');
    await expect(withFileLock(path, () => 'done', busy)).rejects.toMatchObject({
      kind: 'config',
      code: 'LOCKED',
      message: expect.stringContaining('another process has held'),
      hint: expect.stringContaining(removeHint(`${path}.lock`)),
    });
  });

  it('is held until what was begun under it has ended', async () => {
    let ended = false;
    const first = withFileLock(path, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      ended = true;
    });
    await Promise.all([first, withFileLock(path, () => expect(ended).toBe(true))]);
  });

  it('does not give back what another has taken over meanwhile', async () => {
    await withFileLock(path, () => writeFileSync(`${path}.lock`, '{"pid":2}'), clock);
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe('{"pid":2}');
  });

  it('is not taken over by two at once: who comes later waits for the one that is about to', async () => {
    const child = holder("process.kill(process.pid, 'SIGKILL')");
    await once(child, 'close');
    writeFileSync(`${path}.lock.stale`, '');
    expect(await withFileLock(path, () => 'done', clock)).toBe('done');
    // So long until the other taking over counts as killed itself.
    expect(waited).toBeGreaterThan(5_000);
  });

  it('is not stopped by a taking over that was killed in the middle', async () => {
    writeFileSync(`${path}.lock`, '');
    writeFileSync(`${path}.lock.stale`, '');
    utimesSync(`${path}.lock.stale`, 1, 1);
    expect(await withFileLock(path, () => 'done', clock)).toBe('done');
  });

  it('lets each of many in, one at a time', async () => {
    let inside = 0;
    const runs = Array.from({ length: 20 }, () =>
      withFileLock(path, () => {
        inside += 1;
        expect(inside).toBe(1);
        inside -= 1;
      }),
    );
    await Promise.all(runs);
  });

  it('tells why it could not be written, also where the disk is read-only from then on', async () => {
    const failing: Files = {
      system: 'linux',
      // What is open for reading cannot be written.
      open(lock) {
        writeFileSync(lock, '');
        return openSync(lock, 'r');
      },
      remove: () => {
        throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
      },
    };
    const told = { code: 'UNWRITABLE', message: expect.stringContaining(`${path}.lock: EBADF`) };
    await expect(withFileLock(path, () => 'done', clock, failing)).rejects.toMatchObject(told);
    const removable = { ...failing, remove: rmSync };
    await expect(withFileLock(path, () => 'done', clock, removable)).rejects.toMatchObject(told);
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  describe('where the system says of a file that it is not ours (EPERM)', () => {
    const denied = () => Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
    const windows: Files = { system: 'win32', open: openSync, remove: rmSync };
    const unwritable = { kind: 'config', code: 'UNWRITABLE', message: expect.stringContaining('EPERM') };

    it('is had on Windows within moments, while the one before it is being removed', async () => {
      let left = 5;
      const open: Files['open'] = (...given) => {
        if (left-- > 0) throw denied();
        return openSync(...given);
      };
      expect(await withFileLock(path, () => 'done', clock, { ...windows, open })).toBe('done');
      expect([left, waited < 500]).toEqual([-1, true]);
      expect(readdirSync(join(path, '..'))).toEqual([]);
    });

    it('is refused on Windows when it stays so for two seconds, and nothing is changed', async () => {
      const open = () => {
        throw denied();
      };
      const change = () => expect.unreachable();
      await expect(withFileLock(path, change, clock, { ...windows, open })).rejects.toMatchObject(unwritable);
      expect(Math.round(waited / 100)).toBe(20);
    });

    it('is waited for longer when others hold it in between', async () => {
      let tries = 0;
      const open: Files['open'] = (...given) => {
        tries += 1;
        if (waited > 5_000) return openSync(...given);
        throw tries % 10 === 0 ? Object.assign(new Error('EEXIST'), { code: 'EEXIST' }) : denied();
      };
      expect(await withFileLock(path, () => 'done', clock, { ...windows, open })).toBe('done');
    });

    it('is refused at once elsewhere, where that answer stays what it is', async () => {
      const open = () => {
        throw denied();
      };
      const linux: Files = { ...windows, system: 'linux', open };
      await expect(withFileLock(path, () => 'done', clock, linux)).rejects.toMatchObject(unwritable);
      expect(waited).toBe(0);
    });

    it('is refused too when one was left behind there, and none can be made beside it', async () => {
      writeFileSync(`${path}.lock`, '');
      utimesSync(`${path}.lock`, 1, 1);
      const open: Files['open'] = (...given) => {
        if (given[0].endsWith('.stale')) throw denied();
        return openSync(...given);
      };
      await expect(withFileLock(path, () => 'done', clock, { ...windows, open })).rejects.toMatchObject(
        unwritable,
      );
      expect(Math.round(waited / 100)).toBe(20);
    });

    it('is named when one was left behind and cannot be removed', async () => {
      writeFileSync(`${path}.lock`, '');
      utimesSync(`${path}.lock`, 1, 1);
      const remove: Files['remove'] = (...given) => {
        if (given[0].endsWith('.lock')) throw denied();
        rmSync(...given);
      };
      await expect(withFileLock(path, () => 'done', clock, { ...windows, remove })).rejects.toMatchObject({
        code: 'LOCKED',
        message: expect.stringContaining(`${path}.lock`),
      });
    });

    it('is given back as soon as a virus scanner has let go of it', async () => {
      let left = 3;
      const remove: Files['remove'] = (...given) => {
        if (left-- > 0) throw denied();
        rmSync(...given);
      };
      expect(await withFileLock(path, () => 'done', clock, { ...windows, remove })).toBe('done');
      expect([waited, readdirSync(join(path, '..'))]).toEqual([150, []]);
    });

    it.each([
      ['win32', 2_000],
      ['linux', 0],
    ] as const)('what was changed is no failure because it cannot be given back: %s', async (system, ms) => {
      const remove = () => {
        throw denied();
      };
      expect(await withFileLock(path, () => 'done', clock, { ...windows, system, remove })).toBe('done');
      expect([waited, existsSync(`${path}.lock`)]).toEqual([ms, true]);
    });
  });
});
