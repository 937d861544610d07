/** A file that the command line names, read whole. */
import { readFile, type Stats, statSync } from 'node:fs';
import { platform } from 'node:os';
import type { Readable } from 'node:stream';
import { parseJson } from '../api/json.ts';
import { isObject } from '../contract/json-object.ts';
import { usageError } from '../errors.ts';
import { unreadableFileError } from '../flags/file-remedies.ts';
import { inputLimits, isStdin, tooLargeError } from '../flags/input.ts';
import { decodeUtf8 } from '../flags/utf8-text.ts';
import type { Runtime } from '../runtime.ts';
import type { ReadOptions } from '../terminal/io.ts';
import { readAll } from '../terminal/streams/read-all.ts';
import { openPipe, openTerminal } from '../terminal/streams/read-pipe.ts';

/**
 * Reads the file, or stdin for `-`. Throws a usage error (64) if it cannot be read: the call names the wrong file; and
 * `data` (65) if it is larger than `atMost`.
 */
export async function readInputFile(
  runtime: Pick<Runtime, 'io' | 'signal'>,
  path: string,
  options: ReadOptions,
): Promise<Uint8Array> {
  if (isStdin(path)) return runtime.io.readInput(options);
  const { despiteSignals = false, atMost } = options;
  const stream = await openStream(path);
  if (stream !== null)
    return readAll(stream, { what: path, atMost, signal: despiteSignals ? undefined : runtime.signal });
  if ((statOf(path)?.size ?? 0) > atMost) throw tooLargeError(path, atMost);
  // Not `fs/promises`: loading that takes a tenth of a short run.
  return new Promise((resolve, reject) => {
    readFile(path, (cause, bytes) =>
      cause === null ? resolve(bytes) : reject(unreadableFileError(path, cause)),
    );
  });
}

/** Opens a pipe or a terminal, whose end may never come; null for a file. Throws a usage error for any other device. */
async function openStream(path: string): Promise<Readable | null> {
  const found = statOf(path);
  try {
    if (found?.isFIFO()) return await openPipe(path);
    const isDevice = found !== null && (found.isCharacterDevice() || found.isBlockDevice());
    if (!isDevice || platform() === 'win32' || found.rdev === statOf('/dev/null')?.rdev) return null;
    const terminal = await openTerminal(path);
    // Such as /dev/zero, which would be read until memory is full.
    if (terminal === null) throw Object.assign(new Error(path), { code: 'ENODEV' });
    return terminal;
  } catch (cause) {
    throw unreadableFileError(path, cause);
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    // Reading it will tell why it cannot be read.
    return null;
  }
}

/**
 * Reads `--data`: a JSON object, its numbers kept as written; `@file`; or `@-` for stdin. Otherwise throws a usage
 * error (64).
 */
export async function readJsonObject(
  runtime: Pick<Runtime, 'io' | 'signal'>,
  given: string,
): Promise<object> {
  const text = given.startsWith('@')
    ? decodeUtf8(
        await readInputFile(runtime, given.slice(1), { atMost: inputLimits.body }),
        `The text of ${given}`,
      )
    : given;
  try {
    const value = parseJson(new TextEncoder().encode(text));
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw usageError(
    '--data is not a JSON object. Nothing was sent.',
    `Like --data '{"amount":5000}' or --data @data.json.`,
  );
}
