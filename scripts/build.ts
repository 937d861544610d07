/**
 * Bundles src/ into lazy chunks: what ships, and what the end-to-end tests run.
 *
 *   node scripts/build.ts            writes dist/
 *   build({ into })                  writes <into>/dist and <into>/bin, for tests that must not disturb dist/
 */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import {
  helpersInMain,
  isSubstituted,
  jq,
  jqFiles,
  lazyCrypto,
  lazyZod,
  ownProgram,
  parserFiles,
  parsers,
  substituteModules,
  toForwardSlashes,
  wrapModule,
} from './bundle-plugins.ts';
import { commonJs, writeDeclarations } from './declarations.ts';
import { collectNotices } from './notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What users import, as ES modules and once more as CommonJS: Jest's `require`, and TypeScript's before `module` could
 * be `node20`, take nothing else.
 */
const library = { sandbox: 'src/sandbox/index.ts', webhooks: 'src/webhooks.ts' };

/**
 * The program is CommonJS, because Node starts that a fifth faster than ES modules: docs/performance.md. `folder` is
 * below `dist`.
 */
const bundles = [
  { format: 'cjs', extension: 'cjs', folder: '', input: { facade: 'src/main.ts' }, isProgram: true },
  { format: 'esm', extension: 'js', folder: '', input: library, isProgram: false },
  { format: 'cjs', extension: 'js', folder: commonJs, input: library, isProgram: false },
] as const;

/**
 * Whatever is always needed together lies in one file, because opening a file costs more than compiling the few lines
 * in it. Nothing heavy may be pulled in where it is not needed (test/e2e/module-graph.test.ts).
 */
const groups = [
  {
    // For every command line. It has the name that bin/ knows, and takes the place of the bundler's facade.
    name: 'main',
    priority: 4,
    test: /\/src\/(main(?:\/[a-z-]+)?|program|runtime\/(?:create-runtime|open-[a-z]+|output-options|time-reference|world-writable)|errors|clock|steady-heap|version|flags\/(?!event-name|csv-rows).+|terminal\/(escape|error-text|paint|streams\/(?:system-io|channel-io|descriptor))|contract\/(loopback|json-object|percent|error-codes|signature(\/header)?|operations|charge|customer|event-names|pagination|statuses|webhook|sandbox-key))\.ts$|\/commander\//,
  },
  {
    // For whatever reads settings and shows something.
    name: 'show',
    priority: 3,
    test: /\/src\/(terminal\/(render-output|columns|encoding\/(?:json|plain-table)|progress|format-count)|views\/c.+|contract\/money|config\/(?!import-conf|lock).+)\.ts$/,
  },
  {
    // The flags of `sandbox`.
    name: 'sandbox-verbs',
    priority: 2,
    test: /\/src\/(commands\/sandbox\/(index|exits|start\/options|[a-z]+-verbs)|sandbox\/(world\/(settings|limits)|faults\/(effects|limits|presets)))\.ts$/,
  },
  {
    // What a sandbox and other commands have in common, and that loads nothing of Node's but SQLite. So it leaves out
    // the side of `plain/` that sends requests, which needs `node:net`.
    name: 'common',
    priority: 2,
    test: /\/src\/(flags\/event-name|contract\/(event|pix-key-format|brcode\/(crc|fields|build))|plain\/(?!client-connection|connection-pool|read-answer).+|database\/(?:sql-one-of|sqlite\/module)|runtime\/stdin-end)\.ts$/,
  },
  {
    name: 'sandbox',
    priority: 1,
    test: /\/src\/(commands\/sandbox\/start\/start|sandbox\/(?!control\/|page\/(?!path)).+|contract\/assumptions)\.ts$/,
  },
  {
    // For whatever writes settings; conf comes on top.
    name: 'lock',
    priority: 1,
    test: /\/src\/(config\/lock|owner\/.+)\.ts$/,
  },
  {
    // For whatever calls the service; undici comes on top.
    name: 'client',
    priority: 3,
    test: /\/src\/api\/.+/,
  },
  {
    // Separate, because not every run that knows the operations parses by their schemas (`lazyZod`).
    name: 'zod',
    priority: 5,
    test: /\/node_modules\/zod\/(?!.*\/(?:to-json-schema|json-schema-processors)\.js$)/,
  },
  {
    name: 'charges',
    priority: 1,
    test: /\/src\/commands\/charge\/(get|read)\.ts$/,
  },
].map(({ test, ...group }) => ({ ...group, test: (id: string) => test.test(toForwardSlashes(id)) }));

/**
 * Names and lines stay, for whoever reads what is installed, or a stack trace. Only ASCII, because a single letter
 * beyond it makes V8 keep, and hash, the whole file in twice the memory.
 */
const readable = {
  comments: { legal: true, annotation: false, jsdoc: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  minifyInternalExports: false,
} as const;

const bundling = {
  // Given by path, because in a folder with `#` in its name the bundler finds none, and builds pages that ask for
  // React.
  tsconfig: join(root, 'tsconfig.json'),
  external: (id: string, importer?: string) =>
    !isSubstituted(id, importer) && (/^(node|asset):/.test(id) || ['pg', '@napi-rs/keyring'].includes(id)),
  // undici's own flag for a bundle. Without it, its experimental second parser would be bundled too.
  transform: { define: { esbuildDetection: '"bundled"' } },
  plugins: [substituteModules, ownProgram, lazyCrypto, lazyZod, parsers, jq],
};

export async function build({ into = root }: { into?: string } = {}): Promise<void> {
  const dist = join(into, 'dist');
  await rm(dist, { recursive: true, force: true });
  const written: Written = { modules: new Set(), chunks: {}, parts: {} };
  for (const bundle of bundles) await writeBundle(bundle, dist, written);
  const { modules, chunks, parts } = written;
  await rm(join(dist, 'facade.cjs'));
  await writeFile(join(dist, commonJs, 'package.json'), '{ "type": "commonjs" }\n');
  for (const [name, bytes] of parserFiles(modules)) {
    await writeFile(join(dist, 'chunks', name), bytes);
    parts[name] = bytes.length;
  }
  for (const [name, path] of jqFiles(modules)) {
    await writeFile(join(dist, 'chunks', name), await readFile(path));
    modules.add(path);
  }
  await writeFile(join(dist, 'parts.json'), JSON.stringify(parts));
  await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), await collectNotices(modules));
  if (into === root) return;
  // For the test of what each command loads.
  await writeFile(join(into, 'chunks.json'), JSON.stringify(chunks));
  await cp(join(root, 'bin'), join(into, 'bin'), { recursive: true });
  await cp(join(root, 'package.json'), join(into, 'package.json'));
}

interface Written {
  readonly modules: Set<string>;
  /** The modules of each file. */
  readonly chunks: Record<string, string[]>;
  /** The size in bytes of each file that the program loads on demand (see `preload` in bin/compile-cache.js). */
  readonly parts: Record<string, number>;
}

/** Writes one of the bundles below `dist`, and notes what is in it. */
async function writeBundle(
  { format, extension, folder, input, isProgram }: (typeof bundles)[number],
  dist: string,
  { modules, chunks, parts }: Written,
): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input,
    ...bundling,
    plugins: [...bundling.plugins, helpersInMain],
    logLevel: 'warn',
  });
  const { output } = await bundle.write({
    dir: join(dist, folder),
    format,
    exports: 'named',
    entryFileNames: `[name].${extension}`,
    // `require` even for Node's own modules, because the first `import()` starts the loader of ES modules.
    ...(format === 'cjs' ? { dynamicImportInCjs: false } : {}),
    ...(isProgram ? { codeSplitting: { groups } } : {}),
    chunkFileNames: ({ name }) => `${name === 'main' ? 'main' : 'chunks/[name]-[hash]'}.${extension}`,
    ...readable,
  });
  await bundle.close();
  for (const part of output) {
    if (part.type !== 'chunk') continue;
    const name = toForwardSlashes(join(folder, part.fileName));
    chunks[name] = part.moduleIds.map((id) => toForwardSlashes(relative(root, id)));
    for (const id of part.moduleIds) modules.add(id);
    if (!isProgram) continue;
    const bytes = wrapModule(part.code);
    await writeFile(join(dist, part.fileName), bytes);
    if (part.fileName.startsWith('chunks/')) parts[basename(part.fileName)] = bytes.length;
  }
}

/**
 * Bundles the program for the executable: the same chunks, including `pg`, with only Node's own modules left outside.
 * Returns text by file name, the other assets that it needs (parsers, jq), and the modules in it.
 */
export async function bundleInto(
  input: Readonly<Record<string, string>>,
): Promise<{ files: Map<string, string>; assets: Map<string, Uint8Array>; modules: Set<string> }> {
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input,
    ...bundling,
    external: (id: string, importer?: string) =>
      !isSubstituted(id, importer) &&
      (isBuiltin(id) || id.startsWith('asset:') || ['pg-native', '@napi-rs/keyring'].includes(id)),
    logLevel: 'warn',
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    codeSplitting: { groups },
    chunkFileNames: ({ name }) => `${name === 'main' ? 'main' : '[name]-[hash]'}.cjs`,
    ...readable,
    dynamicImportInCjs: false,
  });
  await bundle.close();
  const parts = output.filter((part) => part.type === 'chunk').filter((it) => it.fileName !== 'facade.cjs');
  const modules = new Set(parts.flatMap(({ moduleIds }) => moduleIds));
  const assets = new Map(parserFiles(modules));
  for (const [name, path] of jqFiles(modules)) {
    assets.set(name, await readFile(path));
    modules.add(path);
  }
  return {
    files: new Map(parts.map(({ fileName, code }) => [fileName, code])),
    assets,
    modules,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  await writeDeclarations(root, join(root, 'dist'));
}
