/** A report that says something true whenever the program ends. */
import { type FileHandle, open } from 'node:fs/promises';
import { storageError } from '../../../errors.ts';
import { unwritableFileError } from '../../../flags/file-remedies.ts';

export interface ReportFile {
  /** Writes the final text and closes. Throws `storage` (74). */
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
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (cause) {
      await file.close();
      throw storageError(`The file ${path} could not be written.`, { cause });
    }
  };
  const seekable = (await file.stat()).isFile();
  const write = (text: string) => (seekable ? writeOver(file, Buffer.from(text)) : file.writeFile(text));
  if (seekable) await guarded(() => write(meanwhile));
  return {
    async finish(text) {
      await guarded(() => write(text));
      await file.close();
    },
  };
}

/** Overwrites what is there, then cuts off the rest, so that the file is never empty. */
async function writeOver(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; )
    at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await file.truncate(bytes.length);
}
