/** Reads the text of a BR Code from the command line, stdin, a text file, or a QR code in a PNG. */
import { type Stats, statSync } from 'node:fs';
import { imagePrefix } from '../../contract/charge.ts';
import { dataError, usageError } from '../../errors.ts';
import { unreadableFileError } from '../../flags/file-remedies.ts';
import { readInputFile } from '../../runtime/input-file.ts';
import type { Runtime } from '../../runtime.ts';

/** More than any picture of a QR code needs. */
const maxBytes = 4_000_000;

/**
 * Returns the code without surrounding white space. Throws usage (64) without input, data (65) if no text can be read.
 */
export async function readCode(runtime: Runtime, argument: string): Promise<string> {
  const text =
    argument === '-'
      ? await textOf(await bytesOf(runtime, argument))
      : ((await fromFile(runtime, argument)) ?? (await textOf(new TextEncoder().encode(argument))));
  if (text === '') throw usageError('The code is missing.', 'Give the code, a file, or - for stdin.');
  return text;
}

async function bytesOf(runtime: Runtime, name: string): Promise<Uint8Array> {
  const bytes = await readInputFile(runtime, name, { atMost: maxBytes });
  if (bytes.length > maxBytes)
    throw tooLarge(`${name === '-' ? 'stdin' : name} has more than ${maxBytes} bytes`);
  return bytes;
}

/** Reads a code from a file. Text that begins like a code is one; any other word may be a file. */
async function fromFile(runtime: Runtime, argument: string): Promise<string | null> {
  if (/^\s*0002/.test(argument) || argument.startsWith(imagePrefix) || argument.length > 1000) return null;
  let found: Stats;
  try {
    found = statSync(argument);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (/^E(?:ACCES|PERM|BUSY)$/.test(code) || (/^ENO(?:ENT|TDIR)$/.test(code) && looksLikeFile(argument)))
      throw unreadableFileError(argument, cause);
    return null;
  }
  // Checked before reading, because a file is read whole.
  if (found.isFile() && found.size > maxBytes)
    throw tooLarge(`the file ${argument} has ${found.size} bytes; at most ${maxBytes} are read`);
  return textOf(await bytesOf(runtime, argument));
}

/**
 * Whether a word looks like a file name. A slash alone is not enough: a dynamic code that lost its beginning has one
 * too.
 */
const looksLikeFile = (word: string): boolean =>
  /^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(word) ||
  /\.(?:png|jpe?g|gif|webp|svg|pdf|txt|csv|json|html?)$/i.test(word);

const tooLarge = (what: string) =>
  dataError('TOO_LARGE', `This is no BR Code, nor a picture of one: ${what}.`);

async function textOf(bytes: Uint8Array): Promise<string> {
  if (isPng(bytes)) return await fromPng(bytes);
  const text = new TextDecoder().decode(bytes).trim();
  return text.startsWith(imagePrefix)
    ? await fromPng(Buffer.from(text.slice(imagePrefix.length), 'base64'))
    : text;
}

async function fromPng(bytes: Uint8Array): Promise<string> {
  const { readQrPng } = await import('../../qr/read-png.ts');
  const read = readQrPng(bytes);
  if (!read.ok) throw dataError('NO_QR', `The image could not be read: ${read.reason}.`);
  return read.text.trim();
}

const isPng = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47;
