/** A report that says something true whenever the program ends. */
import { type FileHandle, open } from 'node:fs/promises';
import { PixctlError, storageError } from '../../../errors.ts';
import { unwritableFileError } from '../../../flags/file-remedies.ts';

interface ReportFile {
  /** Writes the final text and closes. Throws `unexpected` (1): 74 would say that nothing was sent. */
  finish(text: string): Promise<void>;
}

/**
 * Opens the report before anything is sent, so that none is lost for want of a folder. Until the end the file holds
 * `meanwhile`, which a killed program leaves behind; a pipe gets only the final text. Throws `usage` (64), `storage`
 * (74).
 */
export async function openReport(path: string, meanwhile: string): Promise<ReportFile> {
  let file: FileHandle;
  try {
    file = await open(path, 'w');
  } catch (cause) {
    throw unwritableFileError(path, cause);
  }
  const seekable = (await file.stat()).isFile();
  const write = async (text: string, toError: (why: string, cause: unknown) => PixctlError) => {
    try {
      await (seekable ? writeOver(file, Buffer.from(text)) : file.writeFile(text));
    } catch (cause) {
      await file.close();
      throw toError(
        `The file ${path} could not be written (${(cause as NodeJS.ErrnoException).code}).`,
        cause,
      );
    }
  };
  if (seekable) await write(meanwhile, (why, cause) => storageError(`${why} Nothing was sent.`, { cause }));
  return {
    async finish(text) {
      await write(text, unfinishedError);
      await file.close();
    },
  };
}

const unfinishedError = (why: string, cause: unknown): PixctlError =>
  new PixctlError('unexpected', 'RESULT_NOT_WRITTEN', why, {
    hint: 'The score is shown above; --junit takes another file.',
    cause,
  });

/** Overwrites what is there, then cuts off the rest, so that the file is never empty. */
async function writeOver(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; )
    at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await file.truncate(bytes.length);
}
