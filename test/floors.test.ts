/** The house holds: no import goes up or sideways, and ambient things are touched only in their rooms. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** DESIGN section 2. A room imports only rooms on lower floors; `import type` counts. */
const floors: readonly (readonly string[])[] = [
  ['errors', 'clock'],
  ['contract'],
  ['database', 'flags', 'forward', 'owner', 'page', 'plain', 'qr', 'webhooks'],
  ['api', 'ledger', 'inbox', 'listener', 'sandbox', 'terminal', 'config'],
  ['withdrawal', 'runtime', 'views'],
  ['commands'],
  ['program'],
  ['main'],
];

/** Where each ambient thing may be touched. */
const ambient: readonly { word: RegExp; name: string; rooms: readonly RegExp[] }[] = [
  { name: 'console', word: /\bconsole\s*\./, rooms: [] },
  { name: 'process.exit', word: /\bprocess\.exit\(/, rooms: [/^main/] },
  {
    name: 'process',
    word: /(?<![\w.'"`/-])process\.(?!versions\b)/,
    rooms: [/^main/, /^runtime/, /^clock/, /^terminal\/.*io\.ts$/, /^database\/sqlite\/module\.ts$/],
  },
  { name: 'Date', word: /\bDate\.now\(|new Date\(\)/, rooms: [/^clock/] },
  { name: 'fetch', word: /(?<![\w.'"`-])fetch\(/, rooms: [/^api\/transport/] },
  { name: 'isTTY', word: /\bisTTY\b/, rooms: [/^main/, /^terminal\/.*io\.ts$/] },
];

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => name.replaceAll('\\', '/'));

const roomOf = (file: string): string => {
  const [first = '', second = ''] = file.split('/');
  if (first === 'commands') return second.endsWith('.ts') ? 'commands' : `commands/${second}`;
  return first.replace(/\.tsx?$/, '');
};

const floorOf = (room: string): number => {
  const floor = floors.findIndex((rooms) => rooms.includes(room.split('/')[0] ?? ''));
  if (floor < 0) throw new Error(`${room} is on no floor`);
  return floor;
};

const withoutComments = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/.*$/gm, '$1');

const importsOf = (file: string): string[] =>
  [
    ...withoutComments(readFileSync(join(source, file), 'utf8')).matchAll(
      /(?:from|import)\s*\(?\s*'(\.[^']+)'/g,
    ),
  ].map((match) => relative(source, resolve(source, dirname(file), match[1] ?? '')).replaceAll('\\', '/'));

describe('the floors', () => {
  it.each(files)('%s imports only rooms on lower floors', (file) => {
    const room = roomOf(file);
    const wrong = importsOf(file).filter((target) => {
      const other = roomOf(target);
      return other !== room && floorOf(other) >= floorOf(room);
    });
    expect(wrong).toEqual([]);
  });

  it('finds the imports that it judges', () => {
    expect(importsOf('contract/operations.ts')).toContain('contract/charge.ts');
    expect(files.length).toBeGreaterThan(20);
  });
});

describe('circles', () => {
  it('no file imports itself, however long the way round', () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
      if (way.includes(file) || done.has(file)) return;
      for (const target of importsOf(file)) if (files.includes(target)) visit(target, [...way, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });
});

describe('ambient things stay in their rooms', () => {
  it.each(files)('%s', (file) => {
    const text = withoutComments(readFileSync(join(source, file), 'utf8'));
    const wrong = ambient
      .filter(({ word, rooms }) => word.test(text) && !rooms.some((room) => room.test(file)))
      .map(({ name }) => name);
    expect(wrong).toEqual([]);
  });
});

describe('files stay small', () => {
  it.each(files)('%s has at most 250 lines', (file) => {
    expect(readFileSync(join(source, file), 'utf8').split('\n').length).toBeLessThanOrEqual(251);
  });
});
