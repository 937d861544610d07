/** What whoever keeps only the last line of a run reads: its steps are stand-ins here, its counting is real. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { noShell } from '../support/platform.ts';

let folder: string;
afterEach(() => rmSync(folder, { recursive: true }));

it.skipIf(noShell !== null).each([
  ['5 0 2', 'true', '5 passed, 0 failed', 0],
  ['5 1 0', 'true', '5 passed, 1 failed', 1],
  ['5 0 0', 'false', '5 passed, 1 failed', 1],
])(
  'of the counts %s, where the lint ends with %s, the closing line is "%s"',
  (counts, lint, line, status) => {
    folder = mkdtempSync(join(tmpdir(), 'pixctl-ci-'));
    const programs = join(folder, 'node_modules/.bin');
    mkdirSync(programs, { recursive: true });
    mkdirSync(join(folder, '.ci'));
    copyFileSync(fileURLToPath(new URL('../../.ci/run', import.meta.url)), join(folder, '.ci/run'));
    const standIns = { npm: `case "$*" in *lint*) ${lint};; esac`, npx: 'true', node: `echo ${counts}` };
    for (const [name, does] of Object.entries(standIns))
      writeFileSync(join(programs, name), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
    const ran = spawnSync('bash', [join(folder, '.ci/run')], {
      env: { PATH: `${programs}:${process.env.PATH}`, TMPDIR: folder },
      encoding: 'utf8',
    });
    expect([ran.stdout.trimEnd().split('\n').at(-1), ran.status]).toEqual([line, status]);
    expect(readdirSync(folder).sort(), 'what it has put into the temporary directory').toEqual([
      '.ci',
      'node_modules',
    ]);
  },
);
