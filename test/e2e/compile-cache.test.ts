/** Compiled code is kept for the next run only where nobody else could leave code for us; elsewhere all works too. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startService } from '../../bench/service.ts';
import { version } from '../../src/version.ts';
import { cleanEnvironment, emptyHome, programPath, start } from '../support/run.ts';

/** As where it is not set: the home decides. */
const noCache = { XDG_CACHE_HOME: '' };

/** Runs a command that loads the program, in `cwd`, and wants it to have worked. */
function works(env: Record<string, string | undefined>, cwd = emptyHome(), by: readonly string[] = []) {
  const given = { ...cleanEnvironment(cwd, noCache), HOME: undefined, ...env };
  const [program = '', ...args] = [...by, process.execPath, programPath(), '--version', '--json'];
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: given,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
}

/** The test gives a directory away, which needs root. */
const canUnshare =
  process.geteuid?.() === 0 && spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0;

const everythingIn = (directory: string) => readdirSync(directory, { recursive: true });
const modeOf = (path: string) => statSync(path).mode & 0o7777;

/** Which commands have kept something, each with what tells one writing of it from another. */
const keptIn = (compiled: string): Record<string, number> =>
  Object.fromEntries(
    readdirSync(compiled)
      .filter((name) => !/\.\d+$/.test(name))
      .map((name) => [name.split('-').slice(3).join('-'), statSync(join(compiled, name)).ino]),
  );

/** A cache directory with `pixctl/compiled` in it, as an earlier run leaves it. */
function cacheDirectory(): { base: string; own: string; compiled: string } {
  const base = emptyHome();
  const [own, compiled] = [join(base, 'pixctl'), join(base, 'pixctl/compiled')];
  mkdirSync(compiled, { recursive: true, mode: 0o700 });
  return { base, own, compiled };
}

describe.skipIf(process.platform === 'win32')('the kept compiled code', () => {
  it.each([
    ['the home', (home: string) => ({ HOME: home }), '.cache/pixctl/compiled'],
    ['XDG_CACHE_HOME', (home: string) => ({ XDG_CACHE_HOME: join(home, 'x') }), 'x/pixctl/compiled'],
  ])('lies in %s, in directories that are closed to others, and is used again', (_title, env, place) => {
    const home = emptyHome();
    works(env(home));
    expect(modeOf(join(home, place))).toBe(0o700);
    expect(modeOf(join(home, place, '..'))).toBe(0o700);
    const kept = everythingIn(join(home, place));
    expect(kept.length).toBeGreaterThan(1);
    works(env(home));
    expect(everythingIn(join(home, place))).toEqual(kept);
  });

  it('is used in a directory that is shared and sticky, as the temporary one is', () => {
    const { base, compiled } = cacheDirectory();
    chmodSync(base, 0o1777);
    works({ XDG_CACHE_HOME: base });
    expect(everythingIn(compiled)).not.toEqual([]);
  });

  it.each<[string, (it: ReturnType<typeof cacheDirectory>) => void]>([
    ['it is open to the group', ({ compiled }) => chmodSync(compiled, 0o770)],
    ['it is open to all', ({ compiled }) => chmodSync(compiled, 0o707)],
    ['its directory is open to the group', ({ own }) => chmodSync(own, 0o770)],
    ['its directory is open to all', ({ own }) => chmodSync(own, 0o707)],
    ['the cache directory is open to all', ({ base }) => chmodSync(base, 0o777)],
  ])('is not used where %s', (_title, spoil) => {
    const at = cacheDirectory();
    spoil(at);
    works({ XDG_CACHE_HOME: at.base });
    expect(everythingIn(at.compiled)).toEqual([]);
  });

  it('is not used where a directory further up is open to all', () => {
    const open = emptyHome();
    chmodSync(open, 0o777);
    mkdirSync(join(open, 'mine/cache'), { recursive: true, mode: 0o700 });
    works({ XDG_CACHE_HOME: join(open, 'mine/cache') });
    expect(everythingIn(join(open, 'mine/cache'))).toEqual([]);
  });

  it.skipIf(process.geteuid?.() !== 0).each<[string, number, boolean]>([
    ['not used where', 65_534, false],
    ['used where, as a user of that number has it alone,', 0, true],
  ])('is %s a directory above is open to a group (tried as root only)', (_title, group, used) => {
    const team = emptyHome();
    const compiled = join(team, 'cache/pixctl/compiled');
    mkdirSync(compiled, { recursive: true, mode: 0o700 });
    chownSync(team, 0, group);
    chmodSync(team, 0o770);
    works({ XDG_CACHE_HOME: join(team, 'cache') });
    expect(everythingIn(compiled).length > 0).toBe(used);
    // Nobody but its owner can move a directory out of a sticky one.
    chmodSync(team, 0o1770);
    works({ XDG_CACHE_HOME: join(team, 'cache') });
    expect(everythingIn(compiled)).not.toEqual([]);
  });

  it.skipIf(process.geteuid?.() !== 0).each<[string, (it: ReturnType<typeof cacheDirectory>) => string]>([
    ['it', ({ compiled }) => compiled],
    ['its directory', ({ own }) => own],
    ['the cache directory', ({ base }) => base],
  ])('is not used where %s belongs to somebody else (tried as root only)', (_title, which) => {
    const at = cacheDirectory();
    chownSync(which(at), 65_534, 65_534);
    works({ XDG_CACHE_HOME: at.base });
    expect(everythingIn(at.compiled)).toEqual([]);
  });

  it.skipIf(!canUnshare)('is used in a user namespace, where the root of the machine has no name', () => {
    const root = emptyHome();
    mkdirSync(join(root, 'cache/pixctl/compiled'), { recursive: true, mode: 0o700 });
    chownSync(root, 1, 1);
    chmodSync(root, 0o755);
    const env = { XDG_CACHE_HOME: join(root, 'cache') };
    works(env);
    expect(everythingIn(join(root, 'cache/pixctl/compiled'))).toEqual([]);
    works(env, emptyHome(), ['unshare', '--user', '--map-root-user']);
    expect(everythingIn(join(root, 'cache/pixctl/compiled'))).not.toEqual([]);
  });

  it.each([['pixctl/compiled'], ['pixctl']])('is not used where %s is a link', (name) => {
    const base = emptyHome();
    const elsewhere = emptyHome();
    mkdirSync(join(elsewhere, 'compiled'));
    if (name !== 'pixctl') mkdirSync(join(base, 'pixctl'), { mode: 0o700 });
    symlinkSync(name === 'pixctl' ? elsewhere : join(elsewhere, 'compiled'), join(base, name));
    works({ XDG_CACHE_HOME: base });
    expect(everythingIn(elsewhere)).toEqual(['compiled']);
  });

  it.each([['pixctl/compiled'], ['pixctl'], ['.']])('is left where %s is a file', (name) => {
    const base = join(emptyHome(), 'base');
    if (name !== '.') mkdirSync(join(base, 'pixctl', '..'), { recursive: true, mode: 0o700 });
    if (name === 'pixctl/compiled') mkdirSync(join(base, 'pixctl'), { mode: 0o700 });
    writeFileSync(join(base, name === '.' ? '' : name), 'a file');
    works({ XDG_CACHE_HOME: base });
    expect(readFileSync(join(base, name === '.' ? '' : name), 'utf8')).toBe('a file');
  });

  it('of a command is taken by its next run, whatever it has told V8 for itself', async () => {
    const home = emptyHome();
    const service = await startService(1200);
    const works = async (words: readonly string[], more: Record<string, string> = {}) => {
      const child = start(words, { home, env: { ...noCache, ...more } });
      let told = '';
      child.stderr.resume();
      child.stdout.on('data', (part: Buffer) => {
        told += part.toString('utf8');
        if (told.includes('"uiUrl"')) child.kill('SIGTERM');
      });
      expect(await once(child, 'close')).toEqual([0, null]);
    };
    const each = async () => {
      await works(['sandbox', 'start', '--port', '0', '-o', 'json']);
      await works(['demo']);
      await works(['charge', 'list', '--all', '--limit', '100', '-o', 'ndjson'], {
        PIXCTL_BASE_URL: service.url,
        PIXCTL_API_KEY: 'svc_sandbox_x',
      });
      return keptIn(join(home, '.cache/pixctl/compiled'));
    };
    await each();
    // The second sandbox also asks for the first one.
    const kept = await each();
    expect(Object.keys(kept).sort()).toEqual(['charge-list', 'demo', 'latest', 'sandbox-start']);
    // What V8 had refused would have been compiled and kept anew.
    expect(await each()).toEqual(kept);
    await service.close();
  });

  it('of another V8 is refused, and kept anew', () => {
    const home = emptyHome();
    const compiled = join(home, '.cache/pixctl/compiled');
    works({ HOME: home });
    for (const name of readdirSync(compiled)) {
      const bytes = readFileSync(join(compiled, name));
      // The second word of the code of the first file is that of the version.
      bytes.writeUInt32LE(1, 4 + bytes.readUInt32LE(0) + 4);
      writeFileSync(join(compiled, name), bytes);
    }
    const before = keptIn(compiled);
    works({ HOME: home });
    const after = keptIn(compiled);
    expect(after).not.toEqual(before);
    works({ HOME: home });
    expect(keptIn(compiled)).toEqual(after);
  });

  it('is kept by a sandbox as it starts, because most are ended by a kill', async () => {
    const home = emptyHome();
    const child = start(['sandbox', 'start', '-o', 'json'], { home, env: noCache });
    child.stderr.resume();
    await once(child.stdout, 'data');
    const compiled = join(home, '.cache/pixctl/compiled');
    await expect.poll(() => Object.keys(keptIn(compiled)).sort()).toEqual(['latest', 'sandbox-start']);
    child.kill('SIGKILL');
    await once(child, 'close');
  });

  it('is kept anew by the first sandbox that has answered, with what answers', async () => {
    const home = emptyHome();
    const run = async (isAsked: boolean) => {
      const child = start(['sandbox', 'start', '--no-profile', '--port', '0', '-o', 'json'], {
        home,
        env: noCache,
      });
      child.stderr.resume();
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const { url, apiKey } = JSON.parse(line.toString('utf8')) as { url: string; apiKey: string };
      const headers = { authorization: `Bearer ${apiKey}`, connection: 'close' };
      if (isAsked) expect((await fetch(`${url}/transparents/list`, { headers })).status).toBe(200);
      child.kill('SIGTERM');
      expect(await once(child, 'close')).toEqual([0, null]);
      return keptIn(join(home, '.cache/pixctl/compiled'));
    };
    const ready = await run(false);
    expect(await run(false)).toEqual(ready);
    const served = await run(true);
    expect(served).not.toEqual(ready);
    expect(await run(true)).toEqual(served);
    expect(await run(false)).toEqual(served);
  });

  it.each<[string, (temporary: string) => Record<string, string>]>([
    ['there is no home', () => ({})],
    ['the cache directory is told as a relative path', () => ({ XDG_CACHE_HOME: 'cache' })],
    [
      'Node is told to keep none',
      (temporary) => ({ XDG_CACHE_HOME: temporary, NODE_DISABLE_COMPILE_CACHE: '1' }),
    ],
  ])('is kept nowhere where %s, and not in the shared temporary directory', (_title, env) => {
    const [cwd, temporary] = [emptyHome(), emptyHome()];
    works({ TMPDIR: temporary, ...env(temporary) }, cwd);
    expect([everythingIn(cwd), everythingIn(temporary)]).toEqual([[], []]);
  });
});
