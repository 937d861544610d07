/**
 * `require` for chunks that are not files but assets of the executable, each with its compiled code beside it. V8
 * itself refuses compiled code that does not fit it or its flags, and compiles the source instead.
 */
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/**
 * Returns what is stored under a name: a chunk as `wrapModule` makes it, its compiled code as `<name>.compiled`, or
 * other bytes.
 */
export type Asset = (name: string) => Buffer | undefined;

/**
 * Makes the `require`. `loaded` is called for every chunk that was compiled. Names have no folders, because they are
 * unique.
 */
export function createChunkLoader(
  asset: Asset,
  loaded: (name: string, script: Script) => void = () => {},
): (name: string) => unknown {
  const modules = new Map<string, { exports: unknown }>();
  function load(name: string): unknown {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const script = compile(name, asset);
    loaded(name, script);
    const module = { exports: {} };
    modules.set(name, module);
    const run = script.runInThisContext() as Wrapped;
    run(module.exports, requireFrom, module, process.execPath, dirname(process.execPath));
    return module.exports;
  }
  const requireFrom = (id: string): unknown => {
    if (id.startsWith('.')) return load(id.slice(id.lastIndexOf('/') + 1));
    return id.startsWith('asset:') ? asset(id.slice('asset:'.length)) : builtin(id);
  };
  return load;
}

export function compile(name: string, asset: Asset): Script {
  const source = asset(name);
  if (source === undefined) throw notFound(name);
  const compiled = asset(`${name}.compiled`);
  return new Script(source.toString('latin1'), {
    filename: name,
    ...(compiled === undefined ? {} : { cachedData: compiled }),
  });
}

type Wrapped = (
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

function builtin(id: string): unknown {
  const found: unknown = process.getBuiltinModule(id);
  if (found === undefined) throw notFound(id);
  return found;
}

const notFound = (id: string): Error =>
  Object.assign(new Error(`"${id}" is not part of this executable`), { code: 'MODULE_NOT_FOUND' });
