/** The text of a BR Code from the command line, stdin, a text file, or a QR code in a PNG. */
import { constants, open } from 'node:fs/promises';
import { imagePrefix } from '../../contract/charge.ts';
import { dataError, usageError } from '../../errors.ts';
import { unreadable } from '../../flags/file-remedies.ts';
import type { Runtime } from '../../runtime.ts';

/** More than any picture of a QR code needs. */
const maxBytes = 4_000_000;

/** Trimmed of white space around it. Throws usage (64) without input, data (65) where no text can be read. */
export async function readCode(runtime: Runtime, argument: string): Promise<string> {
  const text =
    argument === '-'
      ? await textOf(await fromInput(runtime))
      : ((await fromFile(argument)) ?? (await textOf(new TextEncoder().encode(argument))));
  if (text === '') throw usageError('The code is missing.', 'Give the code, a file, or - for stdin.');
  return text;
}

async function fromInput({ io }: Runtime): Promise<Uint8Array> {
  const bytes = await io.readInput({ atMost: maxBytes });
  if (bytes.length > maxBytes) throw tooLarge(`stdin has more than ${maxBytes} bytes`);
  return bytes;
}

/** What begins like a code is one; any other word may be a file. */
async function fromFile(argument: string): Promise<string | null> {
  if (/^\s*0002/.test(argument) || argument.startsWith(imagePrefix) || argument.length > 1000) return null;
  let file: Awaited<ReturnType<typeof open>>;
  try {
    // A pipe that nobody writes to would be waited for, past any signal.
    file = await open(argument, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const looksLikeFile =
      /^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(argument) || /\.(?:png|txt)$/i.test(argument);
    if (/^E(?:ACCES|PERM|BUSY)$/.test(code) || (code === 'ENOENT' && looksLikeFile))
      throw unreadable(argument, cause);
    return null;
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) throw usageError(`"${argument}" is not a file.`);
    if (found.size > maxBytes)
      throw tooLarge(`the file ${argument} has ${found.size} bytes; at most ${maxBytes} are read`);
    return await textOf(await file.readFile());
  } finally {
    await file.close();
  }
}

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
