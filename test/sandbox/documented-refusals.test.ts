/** What docs/sandbox.md says how to bring about comes about, and ends with the codes that stand beside it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { emptyHome, run } from '../support/run.ts';
import { serve } from './support/over-http.ts';

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
const [, table = ''] = /^## To see something go wrong\n([\s\S]*?)^## /m.exec(page) ?? [];
const codeIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** Each way of a row, before each command that stands behind it. The last command of a way comes after a first try. */
const cases = [...table.matchAll(/^\| ([^|]+?) +\| (`[^|]+?) +\| (`[^|]+?) +\|$/gm)].flatMap(
  ([, seen = '', ways, ends]) => {
    const [first = '', ...others] = codeIn(ways);
    const afterwards = others.filter((line) => line.startsWith('pixctl '));
    const instead = others.filter((line) => line.startsWith('--'));
    const lines = [first, ...instead.map((flag) => `pixctl sandbox merchant set ${flag}`)];
    const ending = [...(ends ?? '').matchAll(/`([^`]+)`[^`:]*: (\d+)/g)];
    return lines.flatMap((before) =>
      ending.map(([, command = '', code]) => ({ seen, before, afterwards, command, code: Number(code) })),
    );
  },
);

const words: Readonly<Record<string, readonly string[]>> = {
  'charge create': ['charge', 'create', '--amount', '10,50'],
  'charge get': ['charge', 'get', '<charge>'],
  'charge wait': ['charge', 'wait', '<charge>'],
  'charge refund': ['charge', 'refund', '<charge>', '--yes'],
  withdraw: ['withdraw', '--amount', '10,00', '--to', 'a@example.com', '--idempotency-key', 'k', '--yes'],
};

it('finds the table', () => {
  expect(new Set(cases.map(({ seen }) => seen)).size).toBe(11);
});

it.each(cases)('$seen: $before, then $command: $code', async ({ before, afterwards, command, code }) => {
  const sandbox = await serve({ merchant: { available: 100_000 } });
  const home = emptyHome();
  const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
  const { id: charge } = await sandbox.charge();
  if (command === 'charge refund') sandbox.pay(charge);
  const pixctl = async (args: readonly string[]) => {
    const [withdrawal] = (await sandbox.control('GET', '/withdrawals')).body as { id: string }[];
    const named = { '<charge>': charge, '<id>': withdrawal?.id ?? '', '<key>': sandbox.apiKey };
    const known = args.map((word) => named[word as keyof typeof named] ?? word);
    return run(known, { home, env });
  };
  const done = async (line: string) =>
    expect(await pixctl(line.split(' ').slice(1))).toMatchObject({ code: 0 });

  await done(before);
  for (const line of afterwards) {
    expect(await pixctl(words[command] ?? [])).toMatchObject({ code: 0 });
    await done(line);
  }
  const ended = await pixctl(words[command] ?? []);
  expect({ code: ended.code, words: ended.stderr }).toMatchObject({ code });
});
