/** Reads the text of a BR Code from the command line, stdin, a text file, or a QR code in a PNG. */
import { statSync } from 'node:fs';
import { imagePrefix } from '../../contract/charge.ts';
import { dataError, usageError } from '../../errors.ts';
import { unreadableFileError } from '../../flags/file-remedies.ts';
import { inputLimits } from '../../flags/input.ts';
import { readInputFile } from '../../runtime/input-file.ts';
import type { Runtime } from '../../runtime.ts';

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

const bytesOf = (runtime: Runtime, name: string): Promise<Uint8Array> =>
  readInputFile(runtime, name, { atMost: inputLimits.picture });

/** Reads a code from a file. Text that begins like a code is one; any other word may be a file. */
async function fromFile(runtime: Runtime, argument: string): Promise<string | null> {
  if (/^\s*0002/.test(argument) || argument.startsWith(imagePrefix) || argument.length > 1000) return null;
  try {
    statSync(argument);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (/^E(?:ACCES|PERM|BUSY)$/.test(code) || (/^ENO(?:ENT|TDIR)$/.test(code) && looksLikeFile(argument)))
      throw unreadableFileError(argument, cause);
    return null;
  }
  return textOf(await bytesOf(runtime, argument));
}

/**
 * Whether a word looks like a file name. A slash alone is not enough: a dynamic code that lost its beginning has one
 * too.
 */
const looksLikeFile = (word: string): boolean =>
  /^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(word) ||
  /\.(?:png|jpe?g|gif|webp|svg|pdf|txt|csv|json|html?)$/i.test(word);

async function textOf(bytes: Uint8Array): Promise<string> {
  if (isPng(bytes)) return await fromPng(bytes);
  // Other pictures hold zero bytes, and so does UTF-16: read as a code, they would be called one that is not valid.
  if (bytes.includes(0))
    throw dataError(
      'NO_TEXT',
      'This is neither UTF-8 text nor a PNG image.',
      'Save the picture of the QR code as PNG, or its text as UTF-8.',
    );
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
