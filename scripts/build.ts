/**
 * Bundles src/ into lazy chunks: what ships, and what the end-to-end tests run.
 *
 *   node scripts/build.ts            writes dist/
 *   build({ into })                  writes <into>/dist and <into>/bin, for tests that must not disturb dist/
 */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { declarations } from './declarations.ts';
import { notices } from './notices.ts';

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
  const modules = new Set<string>();
  for (const { format, extension, input } of bundles) {
    const bundle = await rolldown({
      cwd: root,
      platform: 'node',
      input,
      external: [/^node:/, 'pg', '@napi-rs/keyring'],
      logLevel: 'warn',
    });
    const { output } = await bundle.write({
      dir: dist,
      format,
      exports: 'named',
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `chunks/[name]-[hash].${extension}`,
    });
    await bundle.close();
    for (const part of output) if (part.type === 'chunk') for (const id of part.moduleIds) modules.add(id);
  }
  await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), await notices(modules));
  if (into === root) return;
  await mkdir(join(into, 'bin'), { recursive: true });
  await cp(join(root, 'bin/pixctl.js'), join(into, 'bin/pixctl.js'));
  await cp(join(root, 'package.json'), join(into, 'package.json'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  await declarations(root, join(root, 'dist'));
}
