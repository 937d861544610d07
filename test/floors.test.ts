/** The house holds: no import goes up or sideways, and ambient things are touched only in their rooms. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ambientThingsIn } from './support/ambient-things.ts';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** The floors of docs/architecture.md. A room imports only rooms on lower floors; `import type` counts. */
const floors: readonly (readonly string[])[] = [
  ['errors', 'clock', 'steady-heap', 'version'],
  ['contract'],
  ['database', 'flags', 'forward', 'owner', 'page', 'plain', 'qr', 'webhooks'],
  ['api', 'ledger', 'inbox', 'listener', 'sandbox', 'terminal', 'config'],
  ['sending'],
  ['withdrawal', 'keyed-charge', 'runtime', 'views'],
  ['commands'],
  ['program'],
  ['main'],
];

/** Where each ambient thing may be touched (`ambientThingsIn`); in no room, what is not listed. */
const ambient: Readonly<Record<string, readonly RegExp[]>> = {
  'process.exit': [/^main/],
  process: [
    /^main/,
    /^clock/,
    /^terminal\/.*io\.ts$/,
    /^(database\/sqlite\/module|plain\/bare-tcp)\.ts$/,
    // A test in this process is warned as Node warns: a sandbox in a test has no terminal of ours.
    /^sandbox\/faults-for-tests\.ts$/,
  ],
  Date: [/^clock/],
  isTTY: [/^terminal\/.*io\.ts$/],
};

/** Which of Node's modules, and of undici's, only some files may load. */
const guarded: readonly { module: RegExp; name: string; rooms: readonly RegExp[] }[] = [
  {
    name: 'network',
    module: /^(http2?|https|net|tls|dns|dgram|inspector|undici)($|\/)/,
    rooms: [
      /^api\//,
      /^listener\//,
      /^plain\//,
      /^sandbox\/(wire\/server|deliveries\/post|control\/request)\.ts$/,
      // A pipe with a name is read as a socket is.
      /^terminal\/streams\/read-pipe\.ts$/,
    ],
  },
  {
    name: 'process',
    module: /^process$/,
    rooms: [
      /^clock\.ts$/,
      /^database\/sqlite\/module\.ts$/,
      // Which process this is, and whether another one runs.
      /^owner\/create-owners\.ts$/,
      /^inbox\/claim-owner\.ts$/,
      // What is there before `node:net`.
      /^plain\/bare-tcp\.ts$/,
      /^commands\/sandbox\/start\/start\.ts$/,
      // The signal hooks of a library, and what a child of ours reads and writes.
      /^config\/(import-conf|keychain)\.ts$/,
    ],
  },
];

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => name.replaceAll('\\', '/'));

const roomOf = (file: string): string => {
  const [first = '', second = ''] = file.split('/');
  if (first === 'commands') return second.endsWith('.ts') ? 'commands' : `commands/${second}`;
  return first.replace(/\.tsx?$/, '');
};

const floorOf = (room: string): number => {
  const floor = floors.findIndex((rooms) => rooms.includes(room.split('/')[0] ?? ''));
  if (floor < 0) throw new Error(`${room} is on no floor`);
  return floor;
};

const withoutComments = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/.*$/gm, '$1');

const textOf = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]));

const importedBy = new Map(
  [...textOf].map(([file, text]) => [
    file,
    [...withoutComments(text).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
      relative(source, resolve(source, dirname(file), match[1] ?? '')).replaceAll('\\', '/'),
    ),
  ]),
);

const importsOf = (file: string): readonly string[] => importedBy.get(file) ?? [];

/** All that breaks a rule, by its file: one case a rule that names every offender says as much as one a file. */
const offenders = (judge: (file: string, text: string) => readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    [...textOf]
      .map(([file, text]) => [file, judge(file, text)] as const)
      .filter(([, wrong]) => wrong.length > 0),
  );

describe('the floors', () => {
  it('are kept: a file imports only rooms on lower ones', () => {
    const wrong = offenders((file) => {
      const room = roomOf(file);
      return importsOf(file).filter((target) => {
        const other = roomOf(target);
        return other !== room && floorOf(other) >= floorOf(room);
      });
    });
    expect(wrong).toEqual({});
  });

  it('are those that docs/architecture.md shows', () => {
    const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
    const shown: string[][] = floors.map(() => []);
    let floor = 0;
    for (const [, number, rooms = ''] of page.matchAll(/^\| (\d| ) +\| (.*?) +\|/gm)) {
      if (number !== ' ') floor = Number(number);
      for (const [, room = ''] of rooms.matchAll(/`([\w-]+)/g)) shown[floor - 1]?.push(room);
    }
    const sorted = (them: readonly (readonly string[])[]) => them.map((rooms) => [...rooms].sort());
    expect(sorted(shown)).toEqual(sorted(floors));
  });

  it('have families of verbs of which none uses another, but for what webhook shares', () => {
    const familyOf = (file: string) => /^commands\/([^/]+)\/([^/]+)\/./.exec(file)?.slice(1) ?? [];
    const wrong = files.flatMap((file) => {
      const [noun, family] = familyOf(file);
      return importsOf(file)
        .filter((used) => {
          const [theirs, other] = familyOf(used);
          const isShared = noun === 'webhook' && ['endpoints', 'secrets'].includes(other ?? '');
          return noun !== undefined && noun === theirs && family !== other && !isShared;
        })
        .map((used) => `${file} imports ${used}`);
    });
    expect(wrong).toEqual([]);
  });

  it('finds the imports that it judges', () => {
    expect(importsOf('contract/operations.ts')).toContain('contract/charge.ts');
    expect(files.length).toBeGreaterThan(20);
  });
});

interface Inner {
  readonly room: string;
  /** As docs/architecture.md lists them, lowest first; the room's other files put the parts together. */
  readonly folders: readonly (readonly string[])[];
  /** Of those other files the ones that folders may import, and which folders may. */
  readonly shared: RegExp;
  readonly by: readonly string[];
}

const inners: readonly Inner[] = [
  {
    room: 'sandbox',
    folders: [
      ['store', 'input'],
      ['world'],
      ['faults'],
      ['deliveries', 'jobs'],
      ['rules'],
      ['wire'],
      ['page'],
      ['control'],
    ],
    shared: /^sandbox\/(assembly|machinery)\.ts$/,
    by: ['page', 'control'],
  },
  {
    room: 'withdrawal',
    folders: [['policy', 'matching'], ['outcome'], ['settling'], ['attempt', 'batch', 'resolving']],
    shared: /^withdrawal\/(dependencies|request)\.ts$/,
    by: ['matching', 'settling', 'attempt', 'resolving'],
  },
  {
    room: 'listener',
    folders: [['posting', 'tunnel'], ['forwarding'], ['receiving', 'inspector', 'poll']],
    shared: /^listener\/(store|report|event-facts)\.ts$/,
    by: ['posting', 'forwarding', 'receiving', 'inspector', 'poll'],
  },
];

describe.each(inners)('the folders of $room', ({ room, folders, shared, by }) => {
  const folderOf = (file: string): string => {
    const [first, second, third] = file.split('/');
    return first === room && third !== undefined ? (second ?? '') : '';
  };
  const heightOf = (folder: string): number => folders.findIndex((them) => them.includes(folder));

  it('are listed here, each of them', () => {
    const there = new Set(files.map(folderOf).filter((folder) => folder !== ''));
    expect([...there].sort()).toEqual(folders.flat().sort());
  });

  it('are kept: a file in one imports only lower ones', () => {
    const wrong = offenders((file) => {
      const folder = folderOf(file);
      if (folder === '') return [];
      return importsOf(file).filter((target) => {
        if (roomOf(target) !== room || folderOf(target) === folder) return false;
        if (shared.test(target)) return !by.includes(folder);
        return folderOf(target) === '' || heightOf(folderOf(target)) >= heightOf(folder);
      });
    });
    expect(wrong).toEqual({});
  });
});

describe('circles', () => {
  it('no file imports itself, however long the way round', () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
      if (way.includes(file) || done.has(file)) return;
      for (const target of importsOf(file)) if (files.includes(target)) visit(target, [...way, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });
});

const touchedIn = new Map([...textOf].map(([file, text]) => [file, ambientThingsIn(file, text)]));
const isAtHome = (file: string, thing: string) => (ambient[thing] ?? []).some((room) => room.test(file));

describe('ambient things stay in their rooms', () => {
  it('in every file', () => {
    expect(
      offenders((file) => (touchedIn.get(file) ?? []).filter((thing) => !isAtHome(file, thing))),
    ).toEqual({});
  });

  it.each([
    ['console.log(1);', ['console']],
    ["console['log'](1);", ['console']],
    ['const { log } = console;', ['console']],
    ['process.exit(1);', ['process.exit', 'process']],
    ['export const debug = process.env.DEBUG;', ['process']],
    ["export const debug = process['env'];", ['process']],
    ['export const debug = process?.env;', ['process']],
    ['export const { env } = process;', ['process']],
    ['export const machine = globalThis.process;', ['process']],
    ['export const node = process.versions.node;', []],
    ['run(process);', ['process']],
    ['const world = { process };', ['process']],
    ['const world = given ?? process;', ['process']],
    ['const world = () => process;', ['process']],
    ["const all = ['a', (process as Machine)];", ['process']],
    ['const text = `at \u0024{process.pid}`;', ['process']],
    ['const own = (process: string) => process;', ['process']],
    ['const { process: own } = globalThis;', ['globalThis']],
    ['const own = globalThis[name];', ['globalThis']],
    ["const own = globalThis['process'];", ['process']],
    ["const has = 'Deno' in globalThis;", []],
    ["const words = 'It is being sent by another process.';", []],
    ['interface Owner { readonly process: string }\nconst found = { process: owner.process };', []],
    ['type Streams = Pick<typeof process, "stdin">;', []],
    ['const at = Date.now();', ['Date']],
    ['const now = clock ?? Date.now;', ['Date']],
    ['const at = new Date();', ['Date']],
    ['const at = new Date;', ['Date']],
    ['const at = Date();', ['Date']],
    ['const at = performance.now();', ['Date']],
    ['const at = globalThis.Date.now();', ['Date']],
    ['const Own = Date;', ['Date']],
    ['const at = new Date(createdAt);', []],
    ['const at = Date.parse(text) + Date.UTC(2026);', []],
    ['const isOne = at instanceof Date;', []],
    ['const updatedAt = (at: Date): Date => at;', []],
    ["const reply = await fetch('http://x');", ['fetch']],
    ["const reply = await globalThis.fetch('http://x');", ['fetch']],
    ['const { get = fetch } = options;', ['fetch']],
    ['const get = options.get ?? fetch;', ['fetch']],
    ['const world = { fetch };', ['fetch']],
    ['run(fetch);', ['fetch']],
    ["new WebSocket('ws://x');", ['fetch']],
    ['const reply = await pages.fetch(request);', []],
    ['const wide = stream.isTTY;', ['isTTY']],
    ['// As process.env, console.log(), Date.now() and fetch() do.', []],
  ])('finds what it judges in %j', (text, found) => {
    expect(ambientThingsIn('flags/globals.ts', text)).toEqual(found);
  });

  it('names only files that need it', () => {
    const needs = (thing: string, room: RegExp) =>
      [...touchedIn].some(([file, things]) => room.test(file) && things.includes(thing));
    expect(
      Object.entries(ambient).flatMap(([thing, rooms]) => rooms.filter((room) => !needs(thing, room))),
    ).toEqual([]);
  });
});

/**
 * What is loaded, however it is asked for: types are not, and of `process` not what only asks for a module later,
 * because which one stands behind it.
 */
const loadedBy = (text: string): string[] => {
  const code = withoutComments(text)
    .replace(/\b(?:import|export)\s+type\b[^;]*?;/g, '')
    .replace(/import\s*\{\s*getBuiltinModule\s*\}\s*from\s*'(?:node:)?process'/g, '');
  return [
    ...code.matchAll(
      /(?:\b(?:from|import|require|getBuiltinModule)\s*\(?\s*|(?=['"`]node:))['"`](?:node:)?([\w/.@-]+)['"`]/g,
    ),
  ].map((match) => match[1] ?? '');
};

const trespasses = (file: string, text: string): string[] =>
  guarded
    .filter(
      ({ module, rooms }) =>
        !rooms.some((room) => room.test(file)) && loadedBy(text).some((it) => module.test(it)),
    )
    .map(({ name }) => name);

describe('process and the network stay in their rooms', () => {
  it('in every file', () => {
    expect(offenders(trespasses)).toEqual({});
  });

  it.each([
    ["import { request } from 'node:https';", ['network']],
    ["import {\n  connect,\n  type Socket,\n} from 'net';", ['network']],
    ["import 'node:dns/promises';", ['network']],
    ["const { Pool } = await import('undici/lib/dispatcher/pool.js');", ['network']],
    ["export { createServer } from 'node:http';", ['network']],
    ["const { request } = getBuiltinModule(secure ? 'node:https' : 'node:http');", ['network']],
    ["const { connect } = getBuiltinModule('tls');", ['network']],
    ["import { pid } from 'node:process';", ['process']],
    ["import { getBuiltinModule, pid } from 'node:process';", ['process']],
    ["import nodeProcess from 'process';", ['process']],
    ["import { getBuiltinModule } from 'node:process';\ngetBuiltinModule('node:zlib');", []],
    ["import type { Socket } from 'node:net';\nexport type { Server } from 'node:http';", []],
    ["// As `node:http` does: import('node:http').", []],
  ])('finds what it judges in %j', (text, found) => {
    expect(trespasses('flags/globals.ts', text)).toEqual(found);
  });

  it('names only files that need it', () => {
    const needs = ({ module }: (typeof guarded)[number], room: RegExp) =>
      files.some((file) => room.test(file) && loadedBy(textOf.get(file) ?? '').some((it) => module.test(it)));
    expect(guarded.flatMap((rule) => rule.rooms.filter((room) => !needs(rule, room)))).toEqual([]);
  });
});

describe('names say what is inside', () => {
  const nothing = new Set([
    'utils',
    'util',
    'helpers',
    'common',
    'shared',
    'types',
    'manager',
    'misc',
    'lib',
  ]);

  it('no file or folder has a name that anything could be put into', () => {
    // `batch-utils` is one too; what comes before the last dash only says which.
    const kinds = (file: string) =>
      file
        .replace(/(\.d)?\.tsx?$/, '')
        .split('/')
        .map((part) => part.replace(/^.*-/, ''));
    expect(files.filter((file) => kinds(file).some((kind) => nothing.has(kind)))).toEqual([]);
  });

  it('in small letters, with dashes between words', () => {
    expect(files.filter((file) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.d)?\.tsx?$/.test(file))).toEqual([]);
  });
});

describe('files stay small', () => {
  it('have at most 250 lines', () => {
    expect(offenders((_, text) => (text.split('\n').length > 251 ? ['too long'] : []))).toEqual({});
  });

  it('have no comment wider than 120', () => {
    const wide = offenders((_, text) =>
      text.split('\n').filter((line) => line.length > 120 && /^\s*(\/?\*|\/\/)(?! biome-ignore)/.test(line)),
    );
    expect(wide).toEqual({});
  });
});
