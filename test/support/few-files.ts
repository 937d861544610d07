/** A process that may open no more files. */
import { execFileSync } from 'node:child_process';
import { node } from './run.ts';

/** A file of `src/`, as a text that `import` takes. */
export const source = (name: string): string =>
  JSON.stringify(new URL(`../../src/${name}.ts`, import.meta.url).pathname);

/** What `program` writes once there is no descriptor left. `imports` are loaded before. */
export function withoutFiles(imports: string, program: string, ...given: string[]): string {
  const script = `import { openSync } from 'node:fs'; import 'node:child_process'; ${imports}
    try { for (;;) openSync('/dev/null'); } catch {}
    ${program}`;
  return execFileSync(
    '/bin/sh',
    ['-c', 'ulimit -n 64; exec "$0" "$@"', node, '--input-type=module', '-e', script, ...given],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
}
