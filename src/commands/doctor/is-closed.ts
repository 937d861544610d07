import { accessSync, constants } from 'node:fs';

/** A file that this user may not write to; of a server it is seen when something is written. */
export function isClosed(location: string): boolean {
  try {
    accessSync(location, constants.W_OK);
    return false;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EROFS' || code === 'EPERM';
  }
}
