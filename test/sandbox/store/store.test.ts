/** What a state file may be, and what a transaction is. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { openStore } from '../../../src/sandbox/store/store.ts';
import { modeOf } from '../../support/platform.ts';
import { emptyHome } from '../../support/run.ts';

const storeModule = new URL('../../../src/sandbox/store/store.ts', import.meta.url).href;
const file = () => `${emptyHome()}/state.db`;

describe('a state file', () => {
  it('is made private, and opened again', () => {
    const path = file();
    const first = openStore(path);
    first.writeMeta('a', '1');
    first.close();
    expect(modeOf(path, '600')).toBe('600');
    const second = openStore(path);
    expect(second.readMeta('a')).toBe('1');
    second.close();
  });

  // No name there has a colon or a question mark.
  const named =
    process.platform === 'win32' ? [] : ['file:state.db', 'file:state.db?mode=memory', 'state.db?mode=ro'];
  it.each([...named, '-state.db'])(
    'is the named one even if SQLite would read more into the name: %s',
    (name) => {
      const home = emptyHome();
      const code = `
        const { openStore } = await import(${JSON.stringify(storeModule)});
        for (const value of ['1', '2']) {
          const store = openStore(process.argv[1]);
          process.chdir('/');
          process.stdout.write(String(store.readMeta('a')));
          store.writeMeta('a', value);
          store.close();
          process.chdir(process.env.HOME);
        }`;
      const child = spawnSync(process.execPath, ['--input-type=module', '-e', code, '--', name], {
        ...{ cwd: home, encoding: 'utf8', env: { ...process.env, HOME: home } },
      });
      expect(child).toMatchObject({ stdout: 'null1', stderr: '' });
      expect(readdirSync(home)).toEqual([name]);
    },
  );

  it("is not SQLite's name for no file: the message says how to get that", () => {
    expect(() => openStore(':memory:')).toThrow(
      expect.objectContaining({ code: 'NOT_A_STATE', hint: expect.stringContaining('kept in memory') }),
    );
    expect(readdirSync('.')).not.toContain(':memory:');
  });

  it('in a folder that does not exist is refused (78), with what to do', () => {
    const folder = join(emptyHome(), 'none');
    const state = join(folder, 'state.db');
    expect(() => openStore(state)).toThrow(
      expect.objectContaining({
        code: 'STATE_UNUSABLE',
        exit: 78,
        message: `The state ${state} cannot be opened: there is no folder ${folder}`,
        hint: 'Make that folder first, or name another file.',
      }),
    );
  });

  it('is refused (78) when it is in use', () => {
    const path = file();
    const first = openStore(path);
    expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'STATE_IN_USE', exit: 78 }));
    first.close();
  });

  it('that opens but cannot be continued is refused (78) with what the database says', async () => {
    const path = file();
    openStore(path).close();
    letMetaHold(path, 'false');
    await expect(startSandbox({ state: path })).rejects.toMatchObject({
      code: 'STATE_UNUSABLE',
      exit: 78,
      message: `The state ${path} cannot be opened: CHECK constraint failed: no room`,
    });
  });

  it('with a trigger of somebody else is refused (78): it may never end', () => {
    const path = file();
    openStore(path).close();
    const database = new DatabaseSync(path);
    database.exec('CREATE TRIGGER evil AFTER INSERT ON charges BEGIN DELETE FROM meta; END');
    database.close();
    expect(() => openStore(path)).toThrow(
      expect.objectContaining({
        code: 'STATE_UNUSABLE',
        exit: 78,
        message: `The state ${path} has a trigger that pixctl did not make (evil). Nothing was changed.`,
      }),
    );
  });

  it('without room for the last thing that a start stores leaves nothing running', async () => {
    const path = file();
    const { controlToken, close } = await startSandbox({ state: path });
    await close();
    letMetaHold(path, `value <> '${controlToken}' AND key <> 'control-token'`);
    const bugs: unknown[] = [];
    const note = (error: unknown) => bugs.push(error);
    process.on('uncaughtException', note);
    await expect(startSandbox({ state: path })).rejects.toThrow('no room');
    await setImmediate();
    await setImmediate();
    process.off('uncaughtException', note);
    expect(bugs).toEqual([]);
  });

  it('is released even if closing can write nothing', async () => {
    const path = file();
    await (await startSandbox({ state: path })).close();
    const database = new DatabaseSync(path);
    const clock = database.prepare("SELECT value FROM meta WHERE key = 'clock'").get();
    database.close();
    letMetaHold(path, `key <> 'clock' OR value = '${clock?.value}'`);
    const sandbox = await startSandbox({ state: path });
    await expect(sandbox.close()).rejects.toThrow('no room');
    letMetaHold(path, 'true');
    await (await startSandbox({ state: path })).close();
  });

  it('stays locked to other processes although this one was refused it', () => {
    const path = file();
    const first = openStore(path);
    expect(() => openStore(path)).toThrow();
    const other = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('BEGIN IMMEDIATE')`;
    expect(spawnSync(process.execPath, ['-e', other, path]).stderr.toString()).toContain(
      'database is locked',
    );
    first.close();
  });

  it('is refused (78) when it is another database, and left as it is', () => {
    const path = file();
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE mine (x)');
    other.close();
    expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'NOT_A_STATE', exit: 78 }));
    const again = new DatabaseSync(path);
    expect(again.prepare('SELECT name FROM sqlite_schema').all()).toEqual([
      { __proto__: null, name: 'mine' },
    ]);
    expect(again.prepare('PRAGMA journal_mode').get()).toEqual({ __proto__: null, journal_mode: 'delete' });
    again.close();
  });

  it.skipIf(process.platform === 'win32')(
    'is refused (78) when it is no file, and nothing is put beside it',
    () => {
      const path = file();
      execFileSync('mkfifo', [path]);
      expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'NOT_A_STATE', exit: 78 }));
      expect(readdirSync(dirname(path))).toEqual(['state.db']);
    },
  );

  it('is created over the empty database of a start that was killed or had no room', () => {
    const path = file();
    const left = new DatabaseSync(path);
    left.exec('PRAGMA journal_mode = WAL');
    left.close();
    expect(statSync(path).size).toBeGreaterThan(0);
    const store = openStore(path);
    store.writeMeta('a', '1');
    expect(store.readMeta('a')).toBe('1');
    store.close();
  });

  it('is refused (78) when it is empty, but marked by another program', () => {
    const path = file();
    const other = new DatabaseSync(path);
    other.exec('PRAGMA application_id = 7');
    other.close();
    expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'NOT_A_STATE', exit: 78 }));
  });

  it.each([
    [9999, 'Use a newer pixctl, or another file.'],
    [1, 'Use another file; older states are not converted.'],
  ])('is refused (78) when it is of version %i', (version, hint) => {
    const path = file();
    openStore(path).close();
    const raw = new DatabaseSync(path);
    raw.exec(`PRAGMA user_version = ${version}`);
    raw.close();
    expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'STATE_VERSION', exit: 78, hint }));
  });

  it('is refused (78) where there can be no file', () => {
    expect(() => openStore('/no/such/folder/state.db')).toThrow(
      expect.objectContaining({ code: 'STATE_UNUSABLE', exit: 78 }),
    );
  });
});

describe('a transaction', () => {
  it('is all or nothing, and a joined one goes with the outer', () => {
    const store = openStore();
    const failing = () =>
      store.transaction(() => {
        store.writeMeta('outer', '1');
        store.transaction(() => store.writeMeta('inner', '1'));
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect([store.readMeta('outer'), store.readMeta('inner')]).toEqual([null, null]);
    store.close();
  });

  it('does what follows it after the commit only, and never after a rollback', () => {
    const store = openStore();
    const done: string[] = [];
    store.transaction(() => {
      store.afterCommit(() => done.push('after'));
      done.push('within');
    });
    expect(() =>
      store.transaction(() => {
        store.afterCommit(() => done.push('never'));
        throw new Error('no');
      }),
    ).toThrow('no');
    store.transaction(() => {});
    store.afterCommit(() => done.push('at once'));
    expect(done).toEqual(['within', 'after', 'at once']);
    store.close();
  });
});

/** From now on, `meta` takes only rows for which `condition` is true, of those that it has, too. */
function letMetaHold(path: string, condition: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE other (key TEXT PRIMARY KEY, value TEXT NOT NULL, CONSTRAINT "no room" CHECK (${condition})) WITHOUT ROWID;
    INSERT INTO other SELECT * FROM meta WHERE ${condition}; DROP TABLE meta; ALTER TABLE other RENAME TO meta`);
  database.close();
}
