/** A file takes the name of another, which disappears, in one step: readers find either the one or the other, whole. */
import { rename } from 'node:fs/promises';
import { platform } from 'node:os';
import { type Clock, systemClock } from '../clock.ts';
import { retryWhileInUse } from './retry-while-in-use.ts';

/** Like `rename`; on Windows, waits until nothing has the file open (`retryWhileInUse`). */
export const replaceFile = (
  draft: string,
  path: string,
  clock: Clock = systemClock,
  system: NodeJS.Platform = platform(),
  move = rename,
): Promise<void> => retryWhileInUse(() => move(draft, path), clock, system);
