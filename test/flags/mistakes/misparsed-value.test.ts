/** What commander would take for a value, and what a text program has made of a line. */
import { expect, it } from 'vitest';
import { nonInteractiveWords } from '../../../src/commands/charge/request.ts';
import { PixctlError } from '../../../src/errors.ts';
import { flagWords } from '../../../src/flags/command-line.ts';
import { pathOf } from '../../../src/flags/help.ts';
import { walkCommands } from '../../../src/program/harden.ts';
import { createProgram } from '../../../src/program.ts';
import type { Runtime } from '../../../src/runtime.ts';
import { inQuotes } from '../../support/platform.ts';

const taken = new Error('taken as it is');
const runtime = { io: { size: () => ({ columns: 80, rows: 24 }) } } as Runtime;

/** The refusal in words, or `taken`; with its hint. */
async function outcomeOf(words: readonly string[]): Promise<readonly [string, string?]> {
  const program = (await createProgram(runtime, words)).hook('preAction', () => {
    throw taken;
  });
  const error: unknown = await program.parseAsync([...words], { from: 'user' }).catch((it) => it);
  if (error === taken) return ['taken'];
  if (!(error instanceof PixctlError) || error.kind !== 'usage') throw error;
  return error.hint === undefined ? [error.message] : [error.message, error.hint];
}

const create = ['charge', 'create', '--amount', '1050'];

it('no flag of the tree takes another flag for its value: what stood between them was an empty variable', async () => {
  const verbs = [...walkCommands(await createProgram(runtime, 'all'))].filter(
    ({ commands }) => commands.length === 0,
  );
  const refused: string[] = [];
  for (const command of verbs) {
    const path = pathOf(command).split(' ').slice(1);
    const needed = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => `${long}=x`);
    for (const { long } of command.options.filter(({ required }) => required)) {
      const args = command.registeredArguments.map((it) => it.argChoices?.[0] ?? 'x');
      const others = needed.filter((flag) => !flag.startsWith(`${long}=`));
      const [said] = await outcomeOf([...path, ...args, ...others, long ?? '', '-h']);
      expect(said).toBe(`${long} needs a value before -h. Nothing was sent.`);
      refused.push(`${path} ${long}`);
    }
  }
  expect(refused.length).toBeGreaterThan(150);
});

it.each([
  [[...create, '--description', '--wait'], '--description needs a value before --wait.'],
  [[...create, '--description', '--customer', 'cust_1'], '--description needs a value before --customer.'],
  [[...create, '--png', '-w'], '--png needs a value before -w.'],
  [[...create, '--description', '-dry-run'], '--description needs a value before -dry-run.'],
  [['withdraw', '-a', '1050', '-k', '--yes', '--wait'], '--idempotency-key needs a value before --wait.'],
  [['withdraw', '-k', '--amount=1050'], '--idempotency-key needs a value before --amount.'],
])('%j', async (words, said) => {
  expect(await outcomeOf(words)).toEqual([
    `${said} Nothing was sent.`,
    expect.stringContaining('A shell drops an empty variable unless it is in quotes.'),
  ]);
});

it.each([
  [[...create, '-dry-run'], '-dry-run', '--dry-run'],
  [[...create, '-debug'], '-debug', '--debug'],
  [[...create, '-wait'], '-wait', '--wait'],
  [['charge', 'create', '-amount', '1050'], '-amount', '--amount'],
  [['charge', 'create', '-amount=1050'], '-amount', '--amount'],
  [['charge', 'list', '-output', 'json'], '-output', '--output'],
  [['charge', 'list', '-profile', 'acme'], '-profile', '--profile'],
])(
  'a flag with one dash too few is no value of the flag that begins like it: %j',
  async (words, typed, meant) => {
    expect(await outcomeOf(words)).toEqual([
      `${typed} begins with one dash, so each of its letters is read as a flag; did you mean ${meant}? Nothing was sent.`,
    ]);
  },
);

it.each([
  [[...create, '-d=Coffee'], '-d', '-d <text>, or --description=<text>'],
  [['withdraw', '-k=order-1'], '-k', '-k <key>, or --idempotency-key=<key>'],
  [['charge', 'list', '-n=5'], '-n', '-n <n>, or --limit=<n>'],
  [['charge', 'list', '-o=json'], '-o', '-o <format>, or --output=<format>'],
])('a = behind a letter is no part of the value: %j', async (words, flag, write) => {
  expect(await outcomeOf(words)).toEqual([
    `${flag} takes its value without a =, which would be part of it. Nothing was sent.`,
    `Write ${write}.`,
  ]);
});

it.each([
  [[...create, '--description', '-yes, two coffees'], '--description', '<text>'],
  [['withdraw', '-a', '1050', '-t', 'x', '-k', '-q8fK'], '--idempotency-key', '<key>'],
])(
  'a value in which a flag of every command was found is not used without it: %j',
  async (words, flag, kind) => {
    expect(await outcomeOf(words)).toEqual([
      `The value of ${flag} begins with a dash and a letter, which is read as a flag. Nothing was sent.`,
      `Join the two: ${flag}=${kind}.`,
    ]);
  },
);

it.each(['-q8fK', '-yes, two coffees', '--wait', '-42', 'order 42'])(
  'a line of ours joins them: %j',
  async (text) => {
    const words = ['charge', 'create', '--amount', '1050', ...flagWords('--description', text)];
    expect(nonInteractiveWords({ amount: '1050', description: text })).toEqual(['pixctl', ...words]);
    expect(await outcomeOf(words)).toEqual(['taken']);
  },
);

it.each([
  [[...create, '--description=-yes, two coffees']],
  [['withdraw', '-a', '1050', '-t', 'x', '--idempotency-key=-q8fK']],
  [[...create, '--description=--wait']],
  [[...create, '-d--wait']],
  [[...create, '-wdCoffee']],
  [[...create, '-wd', 'Coffee']],
  [[...create, '-d', '=Coffee']],
  [[...create, '--description==Coffee']],
  [[...create, '-d', '']],
  [[...create, '-d', '-5 %']],
  [['withdraw', '-a', '1050', '-t', 'x', '-k', '-42']],
])('what is written as a value is one: %j', async (words) => {
  expect(await outcomeOf(words)).toEqual(['taken']);
});

it.each([
  [[...create, '--dry-run=true'], '--dry-run takes no value: write --dry-run alone, or leave it out.'],
  [[...create, '-w=false'], '-w takes no value: write -w alone, or leave it out.'],
  [['charge', 'list', '-quiet'], 'pixctl charge list has no flag -quiet; did you mean --quiet?'],
  [['charge', 'list', ''], 'pixctl charge list takes no arguments, but got 1: "".'],
])('a flag of yes or no: %j', async (words, said) => {
  expect((await outcomeOf(words))[0]).toBe(`${said} Nothing was sent.`);
});

const dashed = (word: string, meant: string) =>
  `"${word}" begins with a long dash, as word processors write it; did you mean ${meant}?`;
const spaced = (word: string) =>
  `"${word}" is one word: the space in it is a special one, as web pages and word processors have; type that space again.`;

it.each([
  [['charge', 'create', '\u2013amount', '1050'], dashed('\u2013amount', '--amount')],
  [['charge', 'list', '\u2014all'], dashed('\u2014all', '--all')],
  [['charge', 'list', '-\u2013all'], dashed('-\u2013all', '--all')],
  [['\u2014help'], dashed('\u2014help', '--help')],
  [['charge', 'get', '\u2013qr'], dashed('\u2013qr', '--qr')],
  [['webhook', 'replay', 'evt_1', '\u2013dry-run'], dashed('\u2013dry-run', '--dry-run')],
  [['charge\u00a0list'], spaced('charge\u00a0list')],
  [['charge', 'list\u00a0--all'], spaced('list\u00a0--all')],
  [['charge', 'create', '--amount\u202f1050'], spaced('--amount\u202f1050')],
  [
    [...create, '-d', '\u201cTwo', 'coffees\u201d'],
    `--description takes one value; did you mean --description ${inQuotes('Two coffees')}?`,
  ],
  [
    ['brcode', 'decode', '0002015912Loja', 'Sandbox6009Sao', 'Paulo6304ABCD'],
    `<code> is one value; did you mean pixctl brcode decode ${inQuotes('0002015912Loja Sandbox6009Sao Paulo6304ABCD')}?`,
  ],
  [
    ['charge', 'resolve', 'order', '42'],
    `<idempotency key> is one value; did you mean pixctl charge resolve ${inQuotes('order 42')}?`,
  ],
])('a line that was copied out of a text: %j', async (words, said) => {
  expect((await outcomeOf(words))[0]).toBe(`${said} Nothing was sent.`);
});
