/** A report that says something true whenever the program may end. */
import { type FileHandle, open } from 'node:fs/promises';
import { storageError } from '../../../errors.ts';
import { unwritable } from '../../../flags/file-remedies.ts';

export interface ReportFile {
  /** Writes the last word, and closes. Throws `storage` (74). */
  finish(text: string): Promise<void>;
}

/**
 * Before anything is sent, so that no report is lost for want of a folder. The file holds `meanwhile` until the
 * end, which a killed program leaves behind; a pipe is told the end only. Throws `usage` (64), `storage` (74).
 */
export async function openReport(path: string, meanwhile: string): Promise<ReportFile> {
  let file: FileHandle;
  try {
    file = await open(path, 'w');
  } catch (cause) {
    throw unwritable(path, cause);
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

/** Over what is there, whose rest is cut off afterwards: at no moment is the file empty. */
async function writeOver(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; )
    at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await file.truncate(bytes.length);
}
