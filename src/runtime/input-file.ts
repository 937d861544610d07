/** A file that the command line names, read whole. */
import { readFile } from 'node:fs';
import { parseJson } from '../api/json.ts';
import { isObject } from '../contract/json-object.ts';
import { usageError } from '../errors.ts';
import { unreadable } from '../flags/file-remedies.ts';
import { utf8Text } from '../flags/utf8-text.ts';
import type { Runtime } from '../runtime.ts';
import type { ReadOptions } from '../terminal/io.ts';

/** Its bytes, or stdin's for `-`. If it cannot be read, throws a usage error (64): the call names the wrong file. */
export async function readInputFile(
  { io }: Pick<Runtime, 'io'>,
  path: string,
  options: ReadOptions = {},
): Promise<Uint8Array> {
  if (path === '-') return io.readInput(options);
  // Not `fs/promises`, whose loading takes a tenth of a short run.
  return new Promise((resolve, reject) => {
    readFile(path, (cause, bytes) => (cause === null ? resolve(bytes) : reject(unreadable(path, cause))));
  });
}

/** A JSON object, its numbers as written: as text, `@file` or `@-` for stdin. Throws usage (64) for anything else. */
export async function readJsonObject(
  runtime: Pick<Runtime, 'io'>,
  flag: string,
  given: string,
): Promise<object> {
  const text = given.startsWith('@')
    ? utf8Text(await readInputFile(runtime, given.slice(1)), `The text of ${given}`)
    : given;
  try {
    const value = parseJson(new TextEncoder().encode(text));
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw usageError(
    `${flag} is not a JSON object. Nothing was sent.`,
    `Like ${flag} '{"amount":5000}' or ${flag} @data.json.`,
  );
}
