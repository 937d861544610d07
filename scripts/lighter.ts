/** What the bundle leaves out of the libraries, or puts beside itself, so that a short run loads less. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A path as the expressions here and in `build.ts` know it, on Windows too. */
export const slashed = (path: string): string => path.replaceAll('\\', '/');

/** Characters that may not be one column wide. */
export const wideOrOdd = /[^\x20-\x7e\xa1-\xac\xae-\xff]/;

interface Stand {
  readonly importer: RegExp;
  readonly source: RegExp;
  /** What stands in its place. */
  readonly stand: string;
}

/** commander's subcommands in other executables need these, and nothing else of it does. */
const ofCommander: readonly Stand[] = [
  { importer: /\/commander\/lib\//, source: /^node:(child_process|fs|path)$/, stand: 'export default {};' },
];

/** Where all of such a module is imported as one, a bundle copies it, getter by getter. */
const ofNode: readonly Stand[] = [
  {
    importer:
      /\/commander\/lib\/|\/src\/(config\/import-conf|database\/sqlite\/module)\.ts$|\/(conf|atomically|stubborn-fs)\/dist\//,
    source: /^node:process$/,
    stand: 'export default process;',
  },
  ...['fs', 'path'].map((name) => ({
    importer: /\/(conf\/dist\/source|stubborn-fs\/dist)\/index\.js$/,
    source: new RegExp(`^node:${name}$`),
    stand: `export default process.getBuiltinModule('node:${name}');`,
  })),
];

/**
 * What undici loads or builds at once, at several milliseconds a start: HTTP/2 (off: it repeats a POST by
 * itself) and bodies other than text, which are not reached here; `node:http` for a bound on headers, which
 * `api/transport.ts` gives; `node:assert`, loaded when something does not hold; channels that nobody listens
 * to, and that would write what is asked for to stderr with NODE_DEBUG; a table that saves making header names
 * lower-case; all of the parser's constants, of which two are used.
 */
const ofUndici: readonly Stand[] = [
  {
    importer: /\/undici\/lib\//,
    source: /\/client-h2\.js$/,
    stand: "module.exports = () => { throw new Error('HTTP/2 is off'); };",
  },
  {
    importer: /\/undici\/lib\/(core\/request|dispatcher\/client-h1)\.js$/,
    source: /\/web\//,
    stand: "throw new Error('a body is text here');",
  },
  {
    importer: /\/undici\/lib\/(core\/util|dispatcher\/client)\.js$/,
    source: /^node:http$/,
    stand: 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} };',
  },
  {
    importer: /\/undici\/lib\/(core|dispatcher|util)\//,
    source: /^node:assert$/,
    stand: "module.exports = (held, message) => { if (!held) require('node:assert')(held, message); };",
  },
  {
    importer: /\/undici\/lib\//,
    source: /\/core\/diagnostics(\.js)?$|^\.\/diagnostics(\.js)?$/,
    stand: `const silent = { hasSubscribers: false, publish() {} };
      module.exports = { channels: new Proxy({}, { get: () => silent }) };`,
  },
  {
    importer: /\/undici\/lib\/core\/util\.js$/,
    source: /^\.\/tree$/,
    stand: 'module.exports = { tree: { lookup: () => null } };',
  },
  {
    importer: /\/undici\/lib\/dispatcher\/client-h1\.js$/,
    source: /\/llhttp\/constants\.js$/,
    stand: `module.exports = ${JSON.stringify(constants())};`,
  },
];

/**
 * `config/json-file.ts` gives conf a directory, and no schema, no migrations and nothing to watch: four fifths of
 * what conf loads. An option that would ask for them throws at once, in every run.
 */
const ofConf: readonly Stand[] = [
  { source: /^ajv\/dist\/2020\.js$/, stand: `export const Ajv2020 = ${unasked('schema')};` },
  { source: /^ajv-formats$/, stand: `export default { default: ${unasked('schema')} };` },
  { source: /^node:crypto$/, stand: `export default new Proxy({}, { get: ${unasked('encryptionKey')} });` },
  { source: /^semver$/, stand: `export default new Proxy({}, { get: ${unasked('migrations')} });` },
  { source: /^debounce-fn$/, stand: `export default ${unasked('watch')};` },
  { source: /^env-paths$/, stand: `export default ${unasked('projectName')};` },
]
  .map((stand): Stand => ({ importer: /\/conf\/dist\/source\/index\.js$/, ...stand }))
  // It hooks seventeen signals, which takes 2 ms, for a file that is half written; `config/import-conf.ts` takes the
  // hooks away again.
  .concat({
    importer: /\/atomically\/dist\//,
    source: /^when-exit$/,
    stand: "export default (clean) => void process.once('exit', clean);",
  });

function unasked(option: string): string {
  return `function () { throw new Error('conf is bundled without what its option ${option} needs'); }`;
}

/**
 * How wide a text is drawn: 20 ms for the tables of every emoji, before the first is looked for. What is written
 * in Latin letters alone is as wide as it is long; for anything else the library is loaded then.
 */
const ofTables: readonly Stand[] = [
  {
    importer: /\/src\/terminal\//,
    source: /^string-width$/,
    stand: widthBy("require('string-width').default"),
  },
  {
    importer: /\/cli-table3\//,
    source: /^string-width$/,
    stand: widthBy(
      `require(${JSON.stringify(createRequire(require.resolve('cli-table3')).resolve('string-width'))})`,
    ),
  },
];

function widthBy(library: string): string {
  return `module.exports = (text, options) =>
    typeof text === 'string' && !${wideOrOdd}.test(text) ? text.length : ${library}(text, options);`;
}

const absent = [...ofCommander, ...ofNode, ...ofUndici, ...ofConf, ...ofTables];

function constants(): unknown {
  const { ERROR, TYPE } = require('undici/lib/llhttp/constants.js') as Record<string, unknown>;
  return { ERROR, TYPE };
}

/** Where in `absent` what this module imports so is; -1 for what is bundled. */
function standOf(source: string, importer = ''): number {
  return absent.findIndex((it) => it.source.test(source) && it.importer.test(slashed(importer)));
}

export const isAbsent = (id: string, importer: string | undefined): boolean => standOf(id, importer) >= 0;

/**
 * undici carries its parser as text in the program, 145 kB of it; as files, only the one that is used is read.
 * They lie beside the chunks: bin/kept-code.js and, in the executable, scripts/executable-chunks.ts know the name.
 */
export const parsers = {
  name: 'parsers',
  load: (id: string): string | null => {
    const name = parserOf(id);
    return name === null ? null : `module.exports = require('asset:${name}');`;
  },
};

/** `llhttp_simd.wasm` for the module that holds it, else null. */
function parserOf(id: string): string | null {
  const name = /\/undici\/lib\/llhttp\/(llhttp(?:_simd)?)-wasm\.js$/.exec(slashed(id))?.[1];
  return name === undefined ? null : `${name}.wasm`;
}

export const unused = {
  name: 'unused',
  resolveId(source: string, importer: string | undefined): string | null {
    const at = standOf(source, importer);
    return at < 0 ? null : `\0absent-${at}.${absent[at]?.stand.startsWith('export') ? 'mjs' : 'cjs'}`;
  },
  load: (id: string): string | null => {
    const at = /^\0absent-(\d+)/.exec(id)?.[1];
    return at === undefined ? null : (absent[Number(at)]?.stand ?? null);
  },
};

/** commander makes a program of its own besides ours, and a bundler cannot know that nobody asks for it. */
export const ownProgram = {
  name: 'own-program',
  transform: (code: string, id: string): string | null =>
    /\/commander\/index\.js$/.test(slashed(id))
      ? code.replace('program = new Command()', 'program = /* @__PURE__ */ new Command()')
      : null,
};

/** `node:crypto` takes 4 ms to load, and many a run asks nothing of it: loaded at its first use, not with a chunk. */
export const lazyCrypto = {
  name: 'lazy-crypto',
  renderChunk(code: string): string | null {
    const [before, after, ...more] = code.split('let node_crypto = require("node:crypto");');
    if (after === undefined) return null;
    // With the whole of it, as with each of its names, it is asked for where it is used.
    const rest = after.replace(/^node_crypto = .*__toESM\(node_crypto.*\);$/m, '');
    const lazy = 'let loadedCrypto;\nconst node_crypto = () => (loadedCrypto ??= require("node:crypto"));';
    const asked = `${before}${lazy}${rest.replace(/\bnode_crypto\./g, 'node_crypto().')}`;
    if (more.length > 0 || /\bnode_crypto\b(?!\(\)\.| = \(\) =>)/.test(asked))
      throw new Error('node:crypto is used in a way that scripts/lighter.ts does not know');
    return asked;
  },
};

/** So is zod, whose schemas are functions: a sandbox answers what comes first without one. */
export const lazyZod = {
  name: 'lazy-zod',
  renderChunk(code: string): string | null {
    const asked = /const require_zod = (require\("[^"]+"\));/.exec(code);
    if (asked === null) return null;
    const lazy = `let loadedZod;\nconst require_zod = () => (loadedZod ??= ${asked[1]});`;
    const changed = code.replace(/\brequire_zod\./g, 'require_zod().').replace(asked[0], () => lazy);
    if (/\brequire_zod\b(?!\(\)\.| = \(\) =>)/.test(changed))
      throw new Error('zod is used in a way that scripts/lighter.ts does not know');
    return changed;
  },
};

interface Part {
  readonly type: string;
  code: string;
}

/** The bundler's own few lines, put into `main.cjs`, which has always been loaded: a file less for every command. */
export const helpersInMain = {
  name: 'helpers-in-main',
  generateBundle(_options: unknown, parts: Record<string, Part>): void {
    const main = parts['main.cjs'];
    const name = Object.keys(parts).find((file) => /rolldown-runtime-[^/]*\.cjs$/.test(file));
    if (main === undefined || name === undefined) return;
    const helpers = parts[name]?.code;
    const inMain = `require("./${name}")`;
    const beside = inMain.replace('chunks/', '');
    for (const part of Object.values(parts)) {
      if (part.type === 'chunk') part.code = part.code.replace(beside, 'require("../main.cjs").helpers');
    }
    main.code = `exports.helpers = (() => {\nconst exports = {};\n${helpers}\nreturn exports;\n})();
${main.code.replace(inMain, 'exports.helpers')}`;
    delete parts[name];
  },
};

/**
 * A chunk as it is run: the function that a module is, so that nobody joins and copies its text at each start, in
 * Latin-1, which V8 takes without decoding.
 */
export function wrap(code: string): Buffer {
  const whole = `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
  const bytes = Buffer.from(whole, 'latin1');
  if (bytes.toString('latin1') !== whole) throw new Error('a chunk is not Latin-1');
  return bytes;
}

/** The files that `parsers` reads, of those among `modules`. */
export function* parserFiles(modules: Iterable<string>): Generator<[string, Uint8Array]> {
  for (const id of modules) {
    const name = parserOf(id);
    if (name !== null) yield [name, require(id) as Uint8Array];
  }
}
