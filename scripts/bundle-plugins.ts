/** What the bundle leaves out of the libraries, or puts beside itself, so that a short run loads less. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Returns a path with the slashes that the expressions here and in `build.ts` expect, on Windows too. */
export const toForwardSlashes = (path: string): string => path.replaceAll('\\', '/');

/** Matches characters that may not be one column wide. The borders of a table and its ellipsis are. */
export const wideOrOdd = /[^\x20-\x7e\xa1-\xac\xae-\xff\u2026\u2500-\u257f]/;

interface Substitute {
  readonly importer: RegExp;
  readonly source: RegExp;
  /** What replaces it. */
  readonly stand: string;
}

/** Only commander's subcommands in other executables need these. */
const ofCommander: readonly Substitute[] = [
  { importer: /\/commander\/lib\//, source: /^node:(child_process|fs|path)$/, stand: 'export default {};' },
];

/** If all of such a module is imported as one, a bundle copies it, getter by getter. */
const ofNode: readonly Substitute[] = [
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
 * What undici loads or builds at once, at several milliseconds per start: HTTP/2 (off: it repeats a POST by itself) and
 * bodies other than text, which are not reached here; `node:http`, for a limit on headers that `api/transport.ts`
 * gives; `node:assert`, loaded when an assertion fails; channels that nobody listens to, and that would write requests
 * to stderr with NODE_DEBUG; a table that saves lowercasing header names; and all of the parser's constants, of which
 * two are used.
 */
const ofUndici: readonly Substitute[] = [
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
 * `config/json-file.ts` gives conf a directory, and no schema, no migrations and nothing to watch, which is four fifths
 * of what conf loads. An option that asked for those would throw at once, in every run.
 */
const ofConf: readonly Substitute[] = [
  { source: /^ajv\/dist\/2020\.js$/, stand: `export const Ajv2020 = ${throwingStub('schema')};` },
  { source: /^ajv-formats$/, stand: `export default { default: ${throwingStub('schema')} };` },
  {
    source: /^node:crypto$/,
    stand: `export default new Proxy({}, { get: ${throwingStub('encryptionKey')} });`,
  },
  { source: /^semver$/, stand: `export default new Proxy({}, { get: ${throwingStub('migrations')} });` },
  { source: /^debounce-fn$/, stand: `export default ${throwingStub('watch')};` },
  { source: /^env-paths$/, stand: `export default ${throwingStub('projectName')};` },
]
  .map((stand): Substitute => ({ importer: /\/conf\/dist\/source\/index\.js$/, ...stand }))
  // It hooks seventeen signals, which takes 2 ms, to clean up a half-written file. `config/import-conf.ts` removes the
  // hooks again.
  .concat({
    importer: /\/atomically\/dist\//,
    source: /^when-exit$/,
    stand: "export default (clean) => void process.once('exit', clean);",
  });

function throwingStub(option: string): string {
  return `function () { throw new Error('conf is bundled without what its option ${option} needs'); }`;
}

/**
 * Measuring the drawn width of text takes 20 ms for tables of every emoji, before the first one is looked up. Text in
 * Latin letters alone is as wide as it is long; for anything else, the library is then loaded. cli-table3 gets the
 * version that we measure with: its own takes Thai or Hindi text for wider, and would cut it where we have made room.
 */
const ofTables: Substitute = {
  importer: /\/src\/terminal\/|\/cli-table3\//,
  source: /^string-width$/,
  stand: `module.exports = (text, options) =>
    typeof text === 'string' && !${wideOrOdd}.test(text) ? text.length : require('string-width').default(text, options);`,
};

const substitutes = [...ofCommander, ...ofNode, ...ofUndici, ...ofConf, ofTables];

function constants(): unknown {
  const { ERROR, TYPE } = require('undici/lib/llhttp/constants.js') as Record<string, unknown>;
  return { ERROR, TYPE };
}

/** Returns the index in `substitutes` of what this module imports under that name; -1 for what is bundled. */
function substituteIndexOf(source: string, importer: string | undefined): number {
  return substitutes.findIndex(
    (it) => it.source.test(source) && it.importer.test(toForwardSlashes(importer ?? '')),
  );
}

export const isSubstituted = (id: string, importer: string | undefined): boolean =>
  substituteIndexOf(id, importer) >= 0;

/**
 * Puts undici's parsers beside the chunks. undici carries its parser as text in the program, 145 kB of it; as files,
 * only the one in use is read. bin/compile-cache.js and, in the executable, scripts/executable-chunks.ts know the name.
 */
export const parsers = {
  name: 'parsers',
  load: (id: string): string | null => {
    const name = parserOf(id);
    return name === null ? null : `module.exports = require('asset:${name}');`;
  },
};

/**
 * Does the same with jq: its program, which is text for a thread of its own, and its WebAssembly. Neither is among the
 * parts that a run reads before it sends (`preload` in bin/compile-cache.js): with --jq they have been read by then, to
 * judge the expression.
 */
export const jq = {
  name: 'jq',
  load: (id: string): string | null =>
    isJqFiles(id)
      ? "exports.jqProgram = () => require('asset:jq.js');\nexports.jqWasm = () => require('asset:jq.wasm');"
      : null,
};

const isJqFiles = (id: string): boolean => /\/src\/terminal\/jq-files\.ts$/.test(toForwardSlashes(id));

/** Yields the files that `jq` reads, by their paths in the package, if one of the modules asks for them. */
export function* jqFiles(modules: Iterable<string>): Generator<[name: string, path: string]> {
  if (![...modules].some(isJqFiles)) return;
  yield ['jq.js', require.resolve('jq-wasm')];
  yield ['jq.wasm', require.resolve('jq-wasm/jq.wasm')];
}

/** Returns `llhttp_simd.wasm` for the module that holds it, otherwise null. */
function parserOf(id: string): string | null {
  const name = /\/undici\/lib\/llhttp\/(llhttp(?:_simd)?)-wasm\.js$/.exec(toForwardSlashes(id))?.[1];
  return name === undefined ? null : `${name}.wasm`;
}

export const substituteModules = {
  name: 'unused',
  resolveId(source: string, importer: string | undefined): string | null {
    const at = substituteIndexOf(source, importer);
    return at < 0 ? null : `\0absent-${at}.${substitutes[at]?.stand.startsWith('export') ? 'mjs' : 'cjs'}`;
  },
  load: (id: string): string | null => {
    const at = /^\0absent-(\d+)/.exec(id)?.[1];
    return at === undefined ? null : (substitutes[Number(at)]?.stand ?? null);
  },
};

/** Removes the program that commander creates besides ours: a bundler cannot know that nobody uses it. */
export const ownProgram = {
  name: 'own-program',
  transform: (code: string, id: string): string | null =>
    /\/commander\/index\.js$/.test(toForwardSlashes(id))
      ? code.replace('program = new Command()', 'program = /* @__PURE__ */ new Command()')
      : null,
};

/** Loads `node:crypto` at its first use rather than with a chunk: it takes 4 ms, and many runs need nothing of it. */
export const lazyCrypto = {
  name: 'lazy-crypto',
  renderChunk(code: string): string | null {
    const [before, after, ...more] = code.split('let node_crypto = require("node:crypto");');
    if (after === undefined) return null;
    // Whether imported whole or by name, it is loaded where it is used.
    const rest = after.replace(/^node_crypto = .*__toESM\(node_crypto.*\);$/m, '');
    const lazy = 'let loadedCrypto;\nconst node_crypto = () => (loadedCrypto ??= require("node:crypto"));';
    const asked = `${before}${lazy}${rest.replace(/\bnode_crypto\./g, 'node_crypto().')}`;
    if (more.length > 0 || /\bnode_crypto\b(?!\(\)\.| = \(\) =>)/.test(asked))
      throw new Error('node:crypto is used in a way that scripts/bundle-plugins.ts does not know');
    return asked;
  },
};

/** Does the same for zod, whose schemas are functions: a sandbox gives its first answers without one. */
export const lazyZod = {
  name: 'lazy-zod',
  renderChunk(code: string): string | null {
    const asked = /const require_zod = (require\("[^"]+"\));/.exec(code);
    if (asked === null) return null;
    const lazy = `let loadedZod;\nconst require_zod = () => (loadedZod ??= ${asked[1]});`;
    const changed = code.replace(/\brequire_zod\./g, 'require_zod().').replace(asked[0], () => lazy);
    if (/\brequire_zod\b(?!\(\)\.| = \(\) =>)/.test(changed))
      throw new Error('zod is used in a way that scripts/bundle-plugins.ts does not know');
    return changed;
  },
};

interface Part {
  readonly type: string;
  code: string;
}

/** Puts the bundler's own few lines into `main.cjs`, which is always loaded: one file less for every command. */
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
 * Returns a chunk in the form in which it is run: the function that a module is, so that its text is not joined and
 * copied at each start, in Latin-1, which V8 takes without decoding.
 */
export function wrapModule(code: string): Buffer {
  const whole = `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
  const bytes = Buffer.from(whole, 'latin1');
  if (bytes.toString('latin1') !== whole) throw new Error('a chunk is not Latin-1');
  return bytes;
}

/** Yields the files that `parsers` reads, for those among `modules`. */
export function* parserFiles(modules: Iterable<string>): Generator<[string, Uint8Array]> {
  for (const id of modules) {
    const name = parserOf(id);
    if (name !== null) yield [name, require(id) as Uint8Array];
  }
}
