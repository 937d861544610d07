/** The single executable needs no Node and nothing of ours: it runs in a root that holds only system libraries. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { executable } from '../../scripts/executable.ts';
import { version } from '../../src/program.ts';

const why =
  process.platform !== 'linux'
    ? 'only Linux has chroot and ldd'
    : process.geteuid?.() !== 0
      ? 'chroot needs root'
      : ['/usr/sbin/chroot', '/usr/bin/ldd'].some((tool) => !existsSync(tool))
        ? 'chroot or ldd is not installed'
        : null;

describe(`the single executable in an empty root${why === null ? '' : ` (skipped: ${why})`}`, () => {
  it.skipIf(why !== null)(
    'tells its version and runs the demo',
    async () => {
      const root = mkdtempSync(join(tmpdir(), 'pixctl-root-'));
      try {
        const path = await executable(join(root, 'made'));
        for (const [library] of execFileSync('ldd', [path], { encoding: 'utf8' }).matchAll(
          /\/\S+(?= \(0x)/g,
        )) {
          mkdirSync(join(root, dirname(library)), { recursive: true });
          copyFileSync(library, join(root, library));
        }
        mkdirSync(join(root, 'home'));
        const run = (...args: string[]) =>
          spawnSync('/usr/sbin/chroot', [root, '/made/pixctl', ...args], {
            encoding: 'utf8',
            env: { HOME: '/home' },
          });
        expect(run('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
        const demo = run('demo');
        expect(demo.stderr).not.toContain('unexpected');
        expect(demo).toMatchObject({ status: 0 });
        expect(demo.stdout).toContain('pixctl sandbox start');
        expect(run('charge', 'get').status).toBe(64);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
    120_000,
  );
});
