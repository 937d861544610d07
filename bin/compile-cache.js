/**
 * Loads the program together with the code that V8 compiled for it in an earlier run of the same command. Node's own
 * cache stores a file as it is right after loading, without the functions called later, because V8 compiles a function
 * on its first call; compiling those takes a fifth of a short run. Here all files of a run share one cache file,
 * written as they are at the end of the run. V8 rejects what does not match its version or flags, and that is compiled
 * from source.
 *
 * The program may also be replaced or removed while it runs: `preload` reads what has not been loaded yet.
 */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

/** The most cache files that are kept, of 300 KB to 1 MB each. */
const MOST = 100;

/**
 * `directory` belongs to this user alone, or is null where nothing is kept; `dist` is where the files lie. Returns:
 * - `load`, a `require` for those files, each of which holds the function of one module, in Latin-1. `asset:` and a
 *   name returns the bytes of a file beside the module that asks.
 * - `save`, which writes what has been compiled if there is anything new, and never throws. `reached`: 0 if the run
 *   failed or stopped early, 1 if it finished or is ready to serve, 2 if it has served. A higher level replaces a lower
 *   one.
 * - `preload`, after which the run carries on as the version that it began as, whatever happens to its files. If it is
 *   too late for that, or a file is missing or incomplete, `preload` throws; so does `load` for a file that is gone, cut
 *   short or cannot be read. Both use the code ERR_REPLACED; the system's error, if there is one, is its `cause`.
 */
exports.openCompileCache = function openCompileCache(directory, dist, words) {
  const own = directory && path.join(directory, nameOf(dist, words));
  // On its first run, a command uses what another one has kept.
  const latest = directory && path.join(directory, nameOf(dist, ['latest']));
  const known = directory && read(own, dist);
  const kept = known || (directory && read(latest, dist));
  const scripts = new Map();
  const modules = new Map();
  const main = path.join(dist, 'main.cjs');
  let begun = null;
  let held = null;

  function load(file) {
    const before = modules.get(file);
    if (before !== undefined) return before.exports;
    const source = sourceOf(file);
    if (file === main) begun = source.stat;
    const { ctimeMs, size } = source.stat;
    const name = path.basename(file);
    const code = kept === null ? undefined : kept.code(name, ctimeMs, size);
    const text = source.bytes.latin1Slice();
    const script = unlessReplaced(() => new Script(text, { filename: file, cachedData: code }));
    const body = script.runInThisContext();
    // The file is empty.
    if (body === undefined) throw replaced(null);
    const taken = code !== undefined && script.cachedDataRejected === false;
    const reached = taken && known !== null ? known.reached(name) : -1;
    scripts.set(name, { ctimeMs, size, reached, code, script });
    const module = { exports: {} };
    modules.set(file, module);
    const folder = path.dirname(file);
    const requireFrom = (id) => {
      if (id.startsWith('.')) return load(path.join(folder, id));
      return id.startsWith('asset:') ? sourceOf(path.join(folder, id.slice(6))).bytes : require(id);
    };
    try {
      body.call(module.exports, module.exports, requireFrom, module, file, folder);
    } catch (error) {
      // Whoever asks again must get the same error, not a half-initialised module.
      modules.delete(file);
      throw error;
    }
    return module.exports;
  }

  function sourceOf(file) {
    return held?.get(file) || unlessReplaced(() => readSource(file));
  }

  function preload() {
    if (held !== null) return;
    held = unlessReplaced(() => {
      // Goes by the list, not the directory: an installer that was stopped, or is still at work, has not put everything
      // there.
      const sizes = JSON.parse(fs.readFileSync(path.join(dist, 'parts.json'), 'utf8'));
      const sources = new Map();
      for (const name in sizes) {
        const file = path.join(dist, 'chunks', name);
        if (modules.has(file)) continue;
        const source = readSource(file);
        if (source.bytes.length !== sizes[name]) throw replaced(null);
        sources.set(file, source);
      }
      // Checked after reading, so that a replacement during the reading is noticed too.
      if (!isSame(begun, fs.statSync(main))) throw replaced(null);
      return sources;
    });
  }

  function save(reached) {
    if (directory === null) return;
    const behind = [...scripts.values()].filter((file) => file.reached < reached);
    if (behind.length === 0) return;
    try {
      for (const file of behind) Object.assign(file, { reached, code: file.script.createCachedData() });
      write(own, latest, dist, scripts);
    } catch (_) {
      // Keeping code is never worth a failure.
    }
  }
  return { load, save, preload };
};

function readSource(file) {
  return { stat: fs.statSync(file), bytes: fs.readFileSync(file) };
}

/** Ignores the change time, which linking to a file updates too. */
function isSame(one, other) {
  return one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs;
}

/** A file that is cut short, because it is being written or the disk was full, does not parse. */
function unlessReplaced(work) {
  try {
    return work();
  } catch (error) {
    throw error.syscall !== undefined || error instanceof SyntaxError ? replaced(error) : error;
  }
}

function replaced(cause) {
  const message = 'a file of the program is missing, incomplete or cannot be read';
  return Object.assign(new Error(message, { cause }), { code: 'ERR_REPLACED' });
}

function nameOf(dist, words) {
  let hash = 0;
  for (let at = 0; at < dist.length; at++) hash = (Math.imul(hash, 31) + dist.charCodeAt(at)) | 0;
  return [process.version, process.arch, (hash >>> 0).toString(36), ...words].join('-');
}

/**
 * Reads a kept file: the length of its head, the head as JSON, and the code of each file; then all of that once more.
 * V8 runs whatever it is given, damaged or not, and comparing two copies is the fastest way to see that neither is
 * damaged (a checksum, whether written in JavaScript or loaded, takes as long as the kept code saves).
 */
function read(file, dist) {
  try {
    const twice = fs.readFileSync(file);
    const half = twice.length / 2;
    if (twice.compare(twice, half, twice.length, 0, half) !== 0) return null;
    const bytes = twice.subarray(0, half);
    const begin = 4 + bytes.readUInt32LE(0);
    const head = JSON.parse(bytes.utf8Slice(4, begin));
    if (head.dist !== dist || begin + head.length !== bytes.length) return null;
    return {
      reached: (name) => head.files[name].reached,
      code(name, ctimeMs, size) {
        const found = head.files[name];
        // By the change time, because nobody can set it; installers set the other times.
        if (found === undefined || found.ctimeMs !== ctimeMs || found.size !== size) return undefined;
        return bytes.subarray(begin + found.from, begin + found.to);
      },
    };
  } catch (_) {
    return null;
  }
}

/** Flushes the file to disk before giving it its names, so that what has a name is complete. */
function write(own, latest, dist, scripts) {
  const files = {};
  const parts = [];
  let length = 0;
  for (const [name, { ctimeMs, size, reached, code }] of scripts) {
    const part = aligned(code);
    files[name] = { ctimeMs, size, reached, from: length, to: length + part.length };
    parts.push(part);
    length += part.length;
  }
  const head = aligned(Buffer.from(`    ${JSON.stringify({ dist, length, files })}`));
  head.writeUInt32LE(head.length - 4);
  const fresh = `${own}.${process.pid}`;
  try {
    put(fresh, [head, ...parts, head, ...parts]);
    fs.renameSync(fresh, own);
    fs.linkSync(own, fresh);
    fs.renameSync(fresh, latest);
  } finally {
    fs.rmSync(fresh, { force: true });
    removeOldest(path.dirname(own));
  }
}

function put(name, parts) {
  const file = fs.openSync(name, 'w', 0o600);
  try {
    for (const part of parts) if (fs.writeSync(file, part) !== part.length) throw new Error('cut short');
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Removes the oldest files beyond `MOST`: every version, every place and every mistyped command has a file of its own.
 */
function removeOldest(directory) {
  const names = fs.readdirSync(directory);
  if (names.length <= MOST) return;
  const files = names.map((name) => path.join(directory, name));
  const written = new Map(files.map((file) => [file, fs.statSync(file).mtimeMs]));
  files.sort((one, other) => written.get(other) - written.get(one));
  for (const file of files.slice(MOST)) fs.rmSync(file, { recursive: true, force: true });
}

/** Pads to a multiple of eight bytes, where V8 wants each part to begin. With blanks, because a head is JSON. */
function aligned(bytes) {
  return Buffer.concat([bytes], (bytes.length + 7) & ~7).fill(' ', bytes.length);
}
