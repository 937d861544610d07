/**
 * The names that shells and scripts have for stdin: a terminal opened a second time would keep reading despite any
 * signal, and a pipe that is read a second time is empty.
 */
const names: readonly string[] = ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];

export const isStdin = (path: string): boolean => names.includes(path);
