/** Whether a pid of this host is in use, now. */
import { kill } from 'node:process';

export function runs(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch (cause) {
    // It is there, and another user's.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
