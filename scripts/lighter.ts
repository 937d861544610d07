/** What the bundle leaves out of the libraries, or puts beside itself, so that a short run loads less. */
import { createRequire } from 'node:module';

/**
 * What libraries load at once and our use of them never reaches, at several milliseconds a start: commander's
 * subcommands in other executables; of undici HTTP/2 (off: it repeats a POST by itself) and bodies other than
 * text. undici asks `node:http` for a bound on headers only, which `api/transport.ts` gives, and `node:assert`
 * only when something does not hold.
 */
const absent: readonly { readonly importer: RegExp; readonly source: RegExp; readonly stand: string }[] = [
  { importer: /\/commander\/lib\//, source: /^node:child_process$/, stand: 'export default {};' },
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
    importer: /\/undici\/lib\/(core|dispatcher)\/(util|client)\.js$/,
    source: /^node:http$/,
    stand: 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} };',
  },
  {
    importer: /\/undici\/lib\/(core|dispatcher|util)\//,
    source: /^node:assert$/,
    stand: "module.exports = (held, message) => { if (!held) require('node:assert')(held, message); };",
  },
];

export const isAbsent = (id: string, importer: string | undefined): boolean =>
  absent.some((it) => it.source.test(id) && it.importer.test(importer ?? ''));

/**
 * undici carries its parser as text in the program, 145 kB of it; as files, only the one that is used is read.
 * They lie beside the chunks, which is what `__dirname` is there.
 */
export const parsers = {
  name: 'parsers',
  load: (id: string): string | null => {
    const name = parserOf(id);
    return name === null
      ? null
      : `module.exports = require('node:fs').readFileSync(require('node:path').join(__dirname, '${name}'));`;
  },
};

/** `llhttp_simd.wasm` for the module that holds it, else null. */
const parserOf = (id: string): string | null => {
  const name = /\/undici\/lib\/llhttp\/(llhttp(?:_simd)?)-wasm\.js$/.exec(id)?.[1];
  return name === undefined ? null : `${name}.wasm`;
};

export const unused = {
  name: 'unused',
  resolveId(source: string, importer: string | undefined): string | null {
    const at = absent.findIndex((it) => it.source.test(source) && it.importer.test(importer ?? ''));
    return at < 0 ? null : `\0absent-${at}.${absent[at]?.stand.startsWith('export') ? 'mjs' : 'cjs'}`;
  },
  load: (id: string): string | null => {
    const at = /^\0absent-(\d+)/.exec(id)?.[1];
    return at === undefined ? null : (absent[Number(at)]?.stand ?? null);
  },
};

/** The files that `parsers` reads, of those among `modules`. */
export function* parserFiles(modules: Iterable<string>): Generator<[string, Uint8Array]> {
  const require = createRequire(import.meta.url);
  for (const id of modules) {
    const name = parserOf(id);
    if (name !== null) yield [name, require(id) as Uint8Array];
  }
}
