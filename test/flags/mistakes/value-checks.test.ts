/** Every flag and argument of the whole tree, given as the variable of a script that was not set. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { PixctlError } from '../../../src/errors.ts';
import { pathOf } from '../../../src/flags/help.ts';
import { parseMoment } from '../../../src/flags/moment.ts';
import { walkCommands } from '../../../src/program/harden.ts';
import { createProgram } from '../../../src/program.ts';
import type { Runtime } from '../../../src/runtime.ts';

const taken = new Error('taken as it is');
const newProgram = async () =>
  (await createProgram({ io: { size: () => ({ columns: 80, rows: 24 }) } } as Runtime, 'all')).hook(
    'preAction',
    () => {
      throw taken;
    },
  );

const wordsOf = (command: Command): string[] => pathOf(command).split(' ').slice(1);
const neededArguments = (command: Command): string[] =>
  command.registeredArguments.filter(({ required }) => required).map((it) => it.argChoices?.[0] ?? 'x');
const neededFlags = (command: Command): string[] =>
  command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? '', 'x']);

const otherFlags = (command: Command, flag: string): string[] =>
  neededFlags(command).filter((_, at, all) => all[at - (at % 2)] !== flag);

/** The refusal in words, or `taken`. */
async function outcomeOf(words: readonly string[]): Promise<string> {
  const error: unknown = await (await newProgram()).parseAsync(words, { from: 'user' }).catch((it) => it);
  if (error === taken) return 'taken';
  if (!(error instanceof PixctlError) || error.kind !== 'usage') throw error;
  return error.message;
}

const verbs = [...walkCommands(await newProgram())].filter(({ commands }) => commands.length === 0);
const flags = verbs.flatMap((command) =>
  command.options
    .filter(({ required }) => required)
    .map(({ long }) => ({ command, flag: long ?? '', path: pathOf(command) })),
);

describe('a moment that the help of a flag shows', () => {
  const shown = verbs.flatMap(({ options }) =>
    options
      .filter(({ flags: words }) => words.includes('<moment>'))
      .flatMap(({ description }) =>
        description.split(/, or |, |: | \(/).filter((word) => /^(\d|today$|yesterday$)/.test(word)),
      ),
  );

  it.each([...new Set(shown)])('is taken as it stands there: %s', (moment) => {
    expect(parseMoment('--since', moment, { now: 0, zone: null })).toEqual(expect.any(Number));
    expect(shown.length).toBeGreaterThan(10);
  });
});

describe('a flag with an empty value', () => {
  it('is taken only where none is a text like any other', async () => {
    const empty: string[] = [];
    for (const { command, flag, path } of flags) {
      const words = [
        ...wordsOf(command),
        ...neededArguments(command),
        ...otherFlags(command, flag),
        flag,
        '',
      ];
      const says = await outcomeOf(words);
      if (says === 'taken') empty.push(`${path} ${flag}`);
      else
        expect(says).toMatch(
          new RegExp(`^${flag} (is empty|takes one of .+, not "")\\. Nothing was sent\\.$`),
        );
    }
    expect(flags.length).toBeGreaterThan(150);
    expect(empty).toEqual([
      'pixctl charge create --description',
      'pixctl webhook verify --signature',
      'pixctl sandbox fault add --message',
      'pixctl sandbox fault add --body',
      'pixctl sandbox fault add --value',
    ]);
  });

  it.each([
    [['charge', 'list', '--customer', '']],
    [['charge', 'list', '--customer=']],
    [['charge', 'list', '--customer', ' \n']],
    [['charge', 'create', '-a', '100', '-c', '']],
  ])('is refused however it is given: %j', async (words) => {
    expect(await outcomeOf(words)).toBe('--customer is empty. Nothing was sent.');
  });

  it('is refused for the flags of every command, wherever they stand', async () => {
    expect(await outcomeOf(['-p', '', 'charge', 'list'])).toBe('--profile is empty. Nothing was sent.');
    expect(await outcomeOf(['charge', 'list', '--base-url', ''])).toBe(
      '--base-url is empty. Nothing was sent.',
    );
  });

  it('is refused among others of a flag that may be repeated', async () => {
    const words = ['webhook', 'listen', '--secret-file', 'a', '--secret-file', ''];
    expect(await outcomeOf(words)).toBe('--secret-file is empty. Nothing was sent.');
  });
});

describe('a flag that is given twice, with two values', () => {
  it('is refused, unless each of its values counts', async () => {
    const counts: string[] = [];
    for (const { command, flag, path } of flags) {
      const [first = 'x1', second = 'x2'] =
        command.options.find(({ long }) => long === flag)?.argChoices ?? [];
      const given = [...otherFlags(command, flag), flag, first, flag, second];
      const words = [...wordsOf(command), ...neededArguments(command), ...given];
      const says = await outcomeOf(words);
      if (says === 'taken') counts.push(`${path} ${flag}`);
      else expect(says).toBe(`${flag} is given twice: ${first} and ${second}. Nothing was sent.`);
    }
    expect(counts).toEqual([
      'pixctl webhook listen --forward-to',
      'pixctl webhook listen --route',
      'pixctl webhook listen --secret-file',
      'pixctl webhook listen --header',
      'pixctl webhook inbox replay --forward-to',
      'pixctl webhook inbox replay --set',
      'pixctl webhook inbox replay --header',
      'pixctl webhook replay --forward-to',
      'pixctl webhook replay --set',
      'pixctl webhook replay --header',
      'pixctl webhook trigger --forward-to',
      'pixctl webhook trigger --set',
      'pixctl webhook trigger --add',
      'pixctl webhook trigger --remove',
      'pixctl webhook trigger --header',
      'pixctl sandbox start --allow-host',
      'pixctl sandbox start --assume',
      'pixctl api --raw-field',
      'pixctl api --field',
    ]);
  });

  it('is taken with one value twice, and where an alias may have given it: the last one counts', async () => {
    expect(await outcomeOf(['charge', 'create', '-a', '100', '--amount', '100'])).toBe('taken');
    expect(await outcomeOf(['webhook', 'listen', '--port', '3000', '--port', '3000'])).toBe('taken');
    expect(await outcomeOf(['--profile', 'a', 'charge', 'list', '-o', 'csv', '-o', 'json', '-p', 'b'])).toBe(
      'taken',
    );
  });
});

describe('what is no UTF-8 text, of which Node keeps �', () => {
  it.each([
    [['charge', 'create', '--amount', '100', '--description', 'A�a�'], '--description'],
    [['charge', 'get', 'chg_�'], '<id>'],
    [['-p', '�', 'charge', 'list'], '--profile'],
  ])('is refused: %j', async (words, name) => {
    expect(await outcomeOf(words)).toBe(
      `${name} is not UTF-8 text: some of its characters would be lost. Nothing was sent.`,
    );
  });
});

describe('an empty argument', () => {
  it('is taken by what shells call only', async () => {
    const empty: string[] = [];
    for (const command of verbs) {
      for (const [at, { argChoices }] of command.registeredArguments.entries()) {
        if (argChoices !== undefined) continue;
        const before = command.registeredArguments.slice(0, at).map((it) => it.argChoices?.[0] ?? 'x');
        const after = neededArguments(command).slice(at + 1);
        const words = [...wordsOf(command), ...before, '', ...after, ...neededFlags(command)];
        const says = await outcomeOf(words);
        if (says === 'taken') empty.push(pathOf(command));
        else expect(says).toMatch(/^<.+> is empty\. Nothing was sent\.$/);
      }
    }
    expect(empty).toEqual(['pixctl complete']);
  });

  it('is refused among others', async () => {
    expect(await outcomeOf(['webhook', 'replay', 'evt_1', ''])).toBe(
      '<event ids> is empty. Nothing was sent.',
    );
  });
});

describe('an id with a space or a line break at an end', () => {
  const spaced = (flag: string) =>
    `${flag} " x_1\\n" begins or ends with a space or a line break. Nothing was sent.`;

  it.each([
    [['charge', 'get', ' x_1\n'], '<id>'],
    [['charge', 'refund', ' x_1\n'], '<id>'],
    [['customer', 'get', ' x_1\n'], '<id>'],
    [['withdrawal', 'wait', ' x_1\n'], '<id>'],
    [['webhook', 'replay', 'evt_1', ' x_1\n'], '<event ids>'],
    [['webhook', 'deliveries', ' x_1\n'], '<endpoint id>'],
    [['sandbox', 'pay', ' x_1\n'], '<charge>'],
    [['sandbox', 'fault', 'clear', ' x_1\n'], '<id>'],
    [['charge', 'list', '--customer', ' x_1\n'], '--customer'],
    [['charge', 'list', '--after', ' x_1\n'], '--after'],
    [['charge', 'resolve', 'k', '--charge', ' x_1\n'], '--charge'],
    [['withdrawal', 'resolve', 'k', '--withdrawal', ' x_1\n'], '--withdrawal'],
    [['webhook', 'listen', '--endpoint', ' x_1\n'], '--endpoint'],
  ])('is refused: %j', async (words, name) => {
    expect(await outcomeOf(words)).toBe(spaced(name));
  });

  it.each([
    [['charge', 'create', '-a', ' 10,50 ', '-d', ' for you ']],
    [['charge', 'list', '--since', ' 24h']],
    [['webhook', 'inbox', 'list', '--contains', ' "id": ']],
  ])('is left to whoever reads what is no id: %j', async (words) => {
    expect(await outcomeOf(words)).toBe('taken');
  });
});
