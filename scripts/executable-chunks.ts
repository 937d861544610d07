/**
 * `require` for chunks that lie in no file: as assets of the executable, each with its compiled code beside it.
 * Compiled code that does not fit this V8 or its flags is refused by V8 itself, and the source compiled instead.
 */
import { dirname } from 'node:path';
import { Script } from 'node:vm';

export interface Chunk {
  /** As `packSource` makes it. */
  readonly source: Buffer;
  readonly compiled: Buffer | undefined;
}

/** `loaded` is told of every chunk that was compiled. Names are without folders: they are unique. */
export function chunkLoader(
  read: (name: string) => Chunk,
  loaded: (name: string, script: Script) => void = () => {},
): (name: string) => unknown {
  const modules = new Map<string, { exports: unknown }>();
  function load(name: string): unknown {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const script = compile(name, read(name));
    loaded(name, script);
    const module = { exports: {} };
    modules.set(name, module);
    const run = script.runInThisContext() as Wrapped;
    run(module.exports, requireFrom, module, process.execPath, dirname(process.execPath));
    return module.exports;
  }
  const requireFrom = (id: string): unknown =>
    id.startsWith('.') ? load(id.slice(id.lastIndexOf('/') + 1)) : builtin(id);
  return load;
}

export const compile = (name: string, { source, compiled }: Chunk): Script =>
  new Script(unpackSource(source), {
    filename: name,
    ...(compiled === undefined ? {} : { cachedData: compiled }),
  });

type Wrapped = (
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

function builtin(id: string): unknown {
  const found: unknown = process.getBuiltinModule(id);
  if (found !== undefined) return found;
  throw Object.assign(new Error(`"${id}" is not part of this executable`), { code: 'MODULE_NOT_FOUND' });
}

/** A chunk as the function that a module is, in bytes that become a string of V8 without decoding. */
export function packSource(text: string): Buffer {
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
  const narrow = [...wrapped].every((character) => character <= '\u00ff');
  const body = Buffer.from(wrapped, narrow ? 'latin1' : 'utf16le');
  return Buffer.concat([Buffer.from([narrow ? 1 : 2, 0]), body]);
}

const unpackSource = (bytes: Buffer): string => bytes.toString(bytes[0] === 1 ? 'latin1' : 'utf16le', 2);
