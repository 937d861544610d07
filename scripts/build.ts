/**
 * Bundles src/ into lazy chunks: what ships, and what the end-to-end tests run.
 *
 *   node scripts/build.ts            writes dist/
 *   build({ into })                  writes <into>/dist and <into>/bin, for tests that must not disturb dist/
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The program as CommonJS, because Node starts it a fifth faster than ES modules; what users import as ES
 * modules. Measured in docs/performance.md.
 */
const bundles = [
  { format: 'cjs', extension: 'cjs', input: { main: 'src/main.ts' } },
  { format: 'esm', extension: 'js', input: { sandbox: 'src/sandbox/index.ts', webhooks: 'src/webhooks.ts' } },
] as const;

export async function build({ into = root }: { into?: string } = {}): Promise<void> {
  const dist = join(into, 'dist');
  await rm(dist, { recursive: true, force: true });
  for (const { format, extension, input } of bundles) {
    const bundle = await rolldown({
      cwd: root,
      platform: 'node',
      input,
      external: [/^node:/, 'pg', '@napi-rs/keyring'],
      logLevel: 'warn',
    });
    await bundle.write({
      dir: dist,
      format,
      exports: 'named',
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `chunks/[name]-[hash].${extension}`,
    });
    await bundle.close();
  }
  if (into === root) return;
  await mkdir(join(into, 'bin'), { recursive: true });
  await cp(join(root, 'bin/pixctl.js'), join(into, 'bin/pixctl.js'));
  await cp(join(root, 'package.json'), join(into, 'package.json'));
}

/** Declarations of what `exports` names, beside the bundle. */
function declarations(): void {
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'tsconfig.types.json')], {
    stdio: 'inherit',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  declarations();
}
