/** Compiled code that was kept is run only where it is that of the file, whole; elsewhere the file is compiled. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { wrapModule } from '../../scripts/bundle-plugins.ts';
import { modeOf, noModes } from '../support/platform.ts';

interface CompileCache {
  load(file: string): { readonly told: () => string };
  save(reached: 0 | 1 | 2): void;
  preload(): void;
}
const { openCompileCache } = createRequire(import.meta.url)('../../bin/compile-cache.js') as {
  openCompileCache(directory: string | null, dist: string, words: readonly string[]): CompileCache;
};

let directory: string;
let dist: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pixctl-kept-'));
  dist = mkdtempSync(join(tmpdir(), 'pixctl-dist-'));
  mkdirSync(join(dist, 'chunks'));
  writeModule(join(dist, 'main.cjs'), "exports.told = () => require('./chunks/a.cjs').told();");
  write('one');
  list();
});

const writeModule = (file: string, code: string) => writeFileSync(file, wrapModule(code));

const write = (word: string) =>
  writeModule(
    join(dist, 'chunks/a.cjs'),
    `const { basename } = require('node:path');
    exports.told = () => 'ação ${word} ' + basename(__filename) + ' ' + basename(__dirname);`,
  );

/** As the build leaves it: what there is to preload. */
function list(): void {
  const names = readdirSync(join(dist, 'chunks'));
  const sizes = names.map((name) => [name, statSync(join(dist, 'chunks', name)).size]);
  writeFileSync(join(dist, 'parts.json'), JSON.stringify(Object.fromEntries(sizes)));
}

/** One run of a command: what it told. */
function run(words: readonly string[] = ['charge', 'get'], reached: 0 | 1 | 2 = 1, from = dist): string {
  const { load, save } = openCompileCache(directory, from, words);
  const told = load(join(from, 'main.cjs')).told();
  save(reached);
  return told;
}
const written = () => {
  const names = readdirSync(directory).sort();
  return names.map((name) => [name.split('-').slice(3).join('-'), statSync(join(directory, name)).ino]);
};
const commands = () => written().map(([name]) => name);
const everyFile = () => readdirSync(directory).map((name) => join(directory, name));

function flipped(bytes: Buffer, at: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
}

describe('kept code', () => {
  it('is kept for each command, and serves the first run of another one too', () => {
    expect(run()).toBe('ação one a.cjs chunks');
    expect(commands()).toEqual(['charge-get', 'latest']);
    expect(run(['demo'])).toBe('ação one a.cjs chunks');
    expect(commands()).toEqual(['charge-get', 'demo', 'latest']);
  });

  it('is written once, and again only by a run that got further', () => {
    run(undefined, 0);
    const first = written();
    run(undefined, 0);
    expect(written()).toEqual(first);
    run();
    const second = written();
    expect(second).not.toEqual(first);
    run();
    run(undefined, 0);
    expect(written()).toEqual(second);
    run(undefined, 2);
    const third = written();
    expect(third).not.toEqual(second);
    run(undefined, 2);
    run();
    expect(written()).toEqual(third);
  });

  it('is that of the furthest point, if a run keeps it twice', () => {
    const { load, save } = openCompileCache(directory, dist, ['sandbox', 'start']);
    const loaded = load(join(dist, 'main.cjs'));
    save(1);
    const size = () => Math.max(...everyFile().map((file) => statSync(file).size));
    const [early, before] = [written(), size()];
    save(1);
    expect(written()).toEqual(early);
    expect(loaded.told()).toBe('ação one a.cjs chunks');
    save(2);
    expect(size()).toBeGreaterThan(before);
  });

  it('is not used for a different file of the same length', () => {
    run();
    const file = join(dist, 'chunks/a.cjs');
    const { ctimeMs } = statSync(file);
    // The clock of some file systems goes by hundredths of a second.
    while (statSync(file).ctimeMs === ctimeMs) write('two');
    expect(run()).toBe('ação two a.cjs chunks');
    expect(run()).toBe('ação two a.cjs chunks');
  });

  it('is not used for the same files in another place', () => {
    run();
    const other = mkdtempSync(join(tmpdir(), 'pixctl-dist-'));
    writeModule(join(other, 'main.cjs'), "exports.told = () => 'other';");
    expect(run(undefined, 1, other)).toBe('other');
    expect(run()).toBe('ação one a.cjs chunks');
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut short', (bytes) => bytes.subarray(0, bytes.length - 8)],
    ['longer than it says', (bytes) => Buffer.concat([bytes, Buffer.alloc(8)])],
    ['nothing but zeros', (bytes) => Buffer.alloc(bytes.length)],
    ['something else', () => Buffer.from('{"dist":"/"}')],
    ['zeros from its middle on', (bytes) => bytes.fill(0, bytes.length / 2)],
    ['another in one bit of its code', (bytes) => flipped(bytes, bytes.length / 2 - 100)],
    ['another in one bit of its copy', (bytes) => flipped(bytes, bytes.length - 100)],
  ])('that is %s is ignored, and replaced', (_title, damage) => {
    run();
    // Both names are of one file.
    const [file = ''] = everyFile();
    writeFileSync(file, damage(readFileSync(file)));
    const damaged = written();
    expect(run()).toBe('ação one a.cjs chunks');
    expect(written()).not.toEqual(damaged);
    const mended = written();
    run();
    expect(written()).toEqual(mended);
  });

  it('is kept for the hundred latest commands', () => {
    run(['oldest']);
    const words = (at: number) => `${String.fromCharCode(97 + (at % 26))}${at < 26 ? '' : 'more'}${at}`;
    const [first = ''] = everyFile();
    utimesSync(first, 1, 1);
    for (let at = 0; at < 120; at++) run([words(at)]);
    expect(commands()).toHaveLength(100);
    expect(commands()).not.toContain('oldest');
    expect(commands()).toContain(words(119));
    expect(commands()).toContain('latest');
  });

  it('is closed to others, and leaves nothing beside it', () => {
    run();
    expect(everyFile().map((file) => modeOf(file, '600'))).toEqual(['600', '600']);
  });

  it.skipIf(noModes !== null || process.geteuid?.() === 0)(
    'is not kept where nothing can be written, and everything still works',
    () => {
      chmodSync(directory, 0o500);
      expect(run()).toBe('ação one a.cjs chunks');
      expect(everyFile()).toEqual([]);
    },
  );

  it('is not kept where the directory is gone, and everything still works', () => {
    directory = join(directory, 'gone');
    expect(run()).toBe('ação one a.cjs chunks');
  });
});

describe('a program that is replaced', () => {
  const gone = expect.objectContaining({ code: 'ERR_REPLACED' });
  const main = () => join(dist, 'main.cjs');

  it.each([
    ['kept', () => directory],
    ['not kept', () => null],
  ])('goes on as the version that it was once it is held, its code %s', (_, where) => {
    const { load, save, preload } = openCompileCache(where(), dist, ['charge', 'get']);
    const loaded = load(main());
    preload();
    rmSync(dist, { recursive: true });
    preload();
    expect(loaded.told()).toBe('ação one a.cjs chunks');
    save(1);
  });

  it('is held as it was read, even if another has taken its place', () => {
    const { load, preload } = openCompileCache(directory, dist, ['charge', 'get']);
    const loaded = load(main());
    preload();
    write('two');
    expect(loaded.told()).toBe('ação one a.cjs chunks');
  });

  it('has the bytes of what lies beside its files, even if they are gone', () => {
    writeFileSync(join(dist, 'chunks/parser.wasm'), Uint8Array.of(0, 255));
    writeModule(join(dist, 'chunks/a.cjs'), "exports.told = () => [...require('asset:parser.wasm')].join();");
    list();
    const begin = () => {
      const { load, preload } = openCompileCache(directory, dist, ['charge', 'get']);
      return { loaded: load(main()), preload };
    };
    expect(begin().loaded.told()).toBe('0,255');
    const { loaded, preload } = begin();
    preload();
    rmSync(dist, { recursive: true });
    expect(loaded.told()).toBe('0,255');
  });

  it('can no longer be held once it is gone or replaced', () => {
    const { load, preload } = openCompileCache(directory, dist, ['charge', 'get']);
    const loaded = load(main());
    const [whole, chunks] = [readFileSync(main()), join(dist, 'chunks')];
    writeModule(main(), "exports.told = () => 'another';");
    expect(preload).toThrow(gone);
    writeFileSync(main(), whole);
    rmSync(chunks, { recursive: true });
    expect(preload).toThrow(gone);
    expect(loaded.told).toThrow(gone);
  });

  it.each<[string, (file: string) => void]>([
    ['is not there', (file) => rmSync(file)],
    ['is empty', (file) => writeFileSync(file, '')],
    ['is cut short', (file) => writeFileSync(file, readFileSync(file).subarray(0, 40))],
  ])('is not whole where a part of it %s', (_, spoil) => {
    const { load, preload } = openCompileCache(directory, dist, ['charge', 'get']);
    const loaded = load(main());
    const part = join(dist, 'chunks/a.cjs');
    const whole = readFileSync(part);
    spoil(part);
    expect(preload).toThrow(gone);
    expect(loaded.told).toThrow(gone);
    writeFileSync(part, whole);
    preload();
    expect(loaded.told()).toBe('ação one a.cjs chunks');
  });

  it('says why a part of it cannot be read', () => {
    const { load, preload } = openCompileCache(directory, dist, ['charge', 'get']);
    const loaded = load(main());
    const part = join(dist, 'chunks/a.cjs');
    rmSync(part);
    mkdirSync(part);
    const unreadable = expect.objectContaining({
      code: 'ERR_REPLACED',
      cause: expect.objectContaining({ code: 'EISDIR' }),
    });
    expect(preload).toThrow(unreadable);
    expect(loaded.told).toThrow(unreadable);
  });

  it('reports the same again for a part that lacks another', () => {
    writeModule(join(dist, 'chunks/a.cjs'), "require('./b.cjs'); exports.told = () => 'a';");
    const loaded = openCompileCache(directory, dist, ['charge', 'get']).load(main());
    expect(loaded.told).toThrow(gone);
    expect(loaded.told).toThrow(gone);
  });

  it.each<[string, () => void]>([
    ['is not there', () => rmSync(join(dist, 'parts.json'))],
    ['is cut short', () => writeFileSync(join(dist, 'parts.json'), '{"a.cj')],
  ])('is not whole where the list of its parts %s', (_, spoil) => {
    const { load, preload } = openCompileCache(directory, dist, ['charge', 'get']);
    load(main());
    spoil();
    expect(preload).toThrow(gone);
  });

  it.each(['', '(function (exports, require) {const a ='])(
    'does not begin with a main file of %j',
    (text) => {
      writeFileSync(main(), text);
      expect(() => openCompileCache(directory, dist, ['charge', 'get']).load(main())).toThrow(gone);
    },
  );
});
