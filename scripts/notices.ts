/** Collects the licences of the packages whose code is in the bundle, as text to ship with it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** The older form of the field. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name?: string };
}

/** @param modules absolute paths of every module that was bundled */
export async function collectNotices(modules: Iterable<string>): Promise<string> {
  const folders = new Set<string>();
  for (const path of modules) {
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(
      path.replace(/^\0/, ''),
    )?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const sections = await Promise.all([...folders].map(section));
  const unique = [...new Set(sections)].sort();
  return `pixctl contains code of these packages.\n\n${unique.join('\n')}`;
}

async function section(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, author } = manifest;
  const license = manifest.license ?? manifest.licenses?.map(({ type }) => type).join(' OR ');
  if (license === undefined) throw new Error(`${name} names no licence`);
  const file = (await readdir(folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const by = typeof author === 'string' ? author : author?.name;
  const text =
    file === undefined
      ? await standardText(license, by ?? `the authors of ${name}`)
      : (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
  const inner = await Promise.all((contained[name] ?? []).map(licenceOf));
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n${inner.join('')}`;
}

/** What a package contains compiled, without its licence. The texts are those of the projects. */
const contained: Readonly<Record<string, readonly string[]>> = { 'jq-wasm': ['jq', 'oniguruma', 'musl'] };

async function licenceOf(project: string): Promise<string> {
  const text = await readFile(new URL(`licences/${project}.txt`, import.meta.url), 'utf8');
  return `\nIt contains ${project}:\n\n${text.trim()}\n`;
}

/** Returns the text for a package that names its licence but does not include it. */
async function standardText(license: string, by: string): Promise<string> {
  if (license !== 'MIT') throw new Error(`there is no text of ${license} to ship`);
  const ours = await readFile(new URL('../LICENSE', import.meta.url), 'utf8');
  return ours.replace(/^Copyright .*$/m, `Copyright (c) ${by}`);
}
