/** The pages that people wrote name only what exists: commands, flags, variables, files, links, faults. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listDocumentedCommands } from '../../scripts/command-text.ts';
import { environmentVariables } from '../../src/commands/help/environment.ts';
import { settings } from '../../src/config/settings.ts';
import { createProgram } from '../../src/program.ts';
import type { Runtime } from '../../src/runtime.ts';
import { presets } from '../../src/sandbox/faults/presets.ts';
import { pixctlLines, unknownWords } from '../support/command-lines.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name === 'commands.md' ? [] : [`docs/${name}`])),
];
const program = await createProgram({} as Runtime, 'all');
const options = [program, ...listDocumentedCommands(program).map(({ command }) => command)].flatMap(
  (it) => it.options,
);
const flags = new Set(options.map(({ long }) => String(long)));
const defaultsOf = (flag = '') =>
  options.flatMap(({ long, required, defaultValue }) =>
    long === flag && required ? [String(defaultValue)] : [],
  );
/** Flags of commander and of Node that the pages name. */
const others = ['--help', '--build-sea'];
/** What is made by what the page that names it tells to run. */
const made = ['bench/results.json'];
/** Read by the tests only. */
const ofTests = ['PIXCTL_TEST_POSTGRES'];
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map(
  (path) => `/${path.replaceAll('\\', '/')}`,
);

describe.each(pages)('%s', (page) => {
  const text = read(page);
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)];
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(
    ([, code = '']) => code,
  );

  it('writes commands and flags that exist', () => {
    const shell = blocks.flatMap(([, language = '', code = '']) =>
      ['sh', 'crontab', 'ini', 'yaml'].includes(language) ? [code] : [],
    );
    const lines = [...shell, ...inline].flatMap(pixctlLines);
    expect(lines.flatMap((line) => unknownWords(program, line).map((word) => `${line}: ${word}`))).toEqual(
      [],
    );
  });

  it('names flags that some command takes', () => {
    const named = inline.flatMap((code) => /^--[a-z][\w-]*/.exec(code) ?? []);
    expect(named.filter((flag) => !flags.has(flag) && !others.includes(flag))).toEqual([]);
  });

  it('tells the defaults of flags as they are', () => {
    const told = [...text.matchAll(/`(--[a-z-]+)`[^`().|]{0,12}\((\d+[smhd]?)\)/g)];
    const wrong = told.filter(([, flag, value = '']) => {
      const defaults = defaultsOf(flag);
      return defaults.length > 0 && !defaults.includes(value);
    });
    expect(wrong.map(([words]) => words)).toEqual([]);
  });

  it('names variables that are read', () => {
    const known = environmentVariables.map(({ name }) => name);
    const named = text.match(/\bPIXCTL_[A-Z_]*[A-Z]\b/g) ?? [];
    expect(named.filter((name) => !known.includes(name) && !ofTests.includes(name))).toEqual([]);
  });

  it('names files of src/ by the end of their path, as in `api/transport.ts`', () => {
    const named = inline.filter((code) => /^[\w./-]+\.tsx?$/.test(code) && !existsSync(join(root, code)));
    expect(named.filter((code) => !sources.some((path) => path.endsWith(`/${code}`)))).toEqual([]);
  });

  it('names files, scripts and pages that are there', () => {
    const paths = inline.filter((code) => /^(src|test|scripts|bench|bin|docs|man)\/[\w./-]+$/.test(code));
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to = '']) =>
      join(dirname(page), to),
    );
    expect(
      [...paths, ...links].filter((path) => !made.includes(path) && !existsSync(join(root, path))),
    ).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const run = [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(run.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

it('each page of docs is named in the README, or in a page that the README names', () => {
  const namedIn = (page: string) =>
    [...read(page).matchAll(/\b([a-z-]+\.md)\b/g)].map(([, name = '']) => name);
  const near = namedIn('README.md').filter((name) => existsSync(join(root, 'docs', name)));
  const known = new Set([...near, ...near.flatMap((name) => namedIn(`docs/${name}`))]);
  expect(readdirSync(join(root, 'docs')).filter((name) => !known.has(name))).toEqual([]);
});

it('the presets of the sandbox are told as the program tells them', () => {
  const [, table = ''] =
    /### Presets\n([\s\S]*?)\n##/.exec(`${read('docs/sandbox-webhooks-and-faults.md')}\n##`) ?? [];
  const rows = [...table.matchAll(/^\| `([\w-]+)` +\| (.*?) +\|$/gm)];
  expect(Object.fromEntries(rows.map(([, name, about = '']) => [name, about.replaceAll('`', '')]))).toEqual(
    Object.fromEntries(Object.entries(presets).map(([name, { about }]) => [name, about])),
  );
});

it('a unit and a CronJob of withdrawals stop at the same exit codes', () => {
  const page = read('docs/withdrawals.md');
  const [, unit = ''] = /RestartPreventExitStatus=([\d ]+)/.exec(page) ?? [];
  const [, job = ''] = /values: \[([\d, ]+)\]/.exec(page) ?? [];
  expect(unit.split(' ')).toEqual(job.split(', '));
});

it('the settings are told as they are', () => {
  const [, table = ''] =
    /\| setting[\s\S]*?\n\|[- |]+\n([\s\S]*?)\n\n/.exec(read('docs/configuration.md')) ?? [];
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(Object.keys(settings));
});

it('has a README that is read in one go: at most 150 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});
