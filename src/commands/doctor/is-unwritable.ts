import { accessSync, constants } from 'node:fs';

/** Whether `location` is a file that this user may not write to. A server reports that only on the first write. */
export function isUnwritable(location: string): boolean {
  try {
    accessSync(location, constants.W_OK);
    return false;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EROFS' || code === 'EPERM';
  }
}
