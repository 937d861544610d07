/**
 * Writes the declarations of what `exports` names, complete in themselves: the files that both entry points reach and,
 * in place of zod's, the few types that these need (`zod-types.d.ts`), so that a consumer's compiler needs none of our
 * packages.
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';

const entryPoints = ['sandbox/index.d.ts', 'webhooks.d.ts'];
const zodTypes = 'zod.d.ts';

/** The folder of `dist` with the library as CommonJS. Its `package.json` makes TypeScript, too, take it for that. */
export const commonJs = 'commonjs';

export async function writeDeclarations(root: string, dist: string): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), 'pixctl-types-'));
  try {
    execFileSync(
      process.execPath,
      [
        join(root, 'node_modules/typescript/bin/tsc'),
        '-p',
        join(root, 'tsconfig.types.json'),
        '--outDir',
        emitted,
      ],
      { stdio: 'inherit' },
    );
    await cp(join(root, 'scripts/zod-types.d.ts'), join(emitted, zodTypes));
    const into = join(dist, 'types');
    await rm(into, { recursive: true, force: true });
    const kept = new Set<string>();
    for (const face of entryPoints) await copyDeclaration(face, { emitted, into, kept });
    await cp(into, join(dist, commonJs, 'types'), { recursive: true });
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

interface Walk {
  readonly emitted: string;
  readonly into: string;
  /** Paths below `emitted` that have been written. */
  readonly kept: Set<string>;
}

/** Writes one file and everything that it names, with specifiers that resolve wherever the package lies. */
async function copyDeclaration(path: string, walk: Walk): Promise<void> {
  if (walk.kept.has(path)) return;
  walk.kept.add(path);
  const named: string[] = [];
  const text = (await readFile(join(walk.emitted, path), 'utf8')).replace(
    /(\bfrom |\bimport\()(["'])([^"']+)\2/g,
    (whole, before: string, quote: string, specifier: string) => {
      const target = targetOf(path, specifier);
      if (target === null) return whole;
      named.push(target);
      const to = relative(dirname(path), target)
        .split(sep)
        .join('/')
        .replace(/\.d\.ts$/, '.js');
      return `${before}${quote}${to.startsWith('.') ? to : `./${to}`}${quote}`;
    },
  );
  const written = join(walk.into, path);
  await mkdir(dirname(written), { recursive: true });
  // A consumer's `lib` may be older than `await using`.
  const lib = text.includes('AsyncDisposable') ? '/// <reference lib="esnext.disposable" />\n' : '';
  await writeFile(written, lib + text);
  for (const target of named) await copyDeclaration(target, walk);
}

/** Returns the declaration file that a specifier means; null for Node's own. Throws for a package other than zod. */
function targetOf(path: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return join(dirname(path), specifier).replace(/\.[jt]s$/, '.d.ts');
  if (/^zod\/(mini|v4\/core)$/.test(specifier)) return zodTypes;
  if (specifier.startsWith('node:')) return null;
  throw new Error(`${path} would make users install the types of ${specifier}`);
}
