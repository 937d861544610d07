/** What is asked of a destination, and which answers are told to be wrong while the person types. */
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { askKey, askName } from '../../../src/commands/destination/ask.ts';
import type { Runtime } from '../../../src/runtime.ts';
import type { Prompter } from '../../../src/terminal/prompter.ts';

/** Types one text after the other, until one is accepted, and remembers what was said of the others. */
function typing(...texts: string[]) {
  const refused: (string | true)[] = [];
  const input: Prompter['input'] = async ({ validate = () => true }) => {
    for (let text = texts.shift(); text !== undefined; text = texts.shift()) {
      const verdict = validate(text);
      if (verdict === true) return text;
      refused.push(verdict);
    }
    throw new Error('nothing was accepted');
  };
  return { refused, runtime: { prompter: async () => ({ canAsk: true, input }) } as unknown as Runtime };
}

it('a name is one that add takes', async () => {
  const { refused, runtime } = typing(' ', 'Rent', '-x', ' rent ');
  expect(await askName(runtime)).toEqual(['rent']);
  expect(refused).toEqual([
    'A value is required.',
    expect.stringContaining('Rent'),
    expect.stringContaining('-x'),
  ]);
});

it('a key is one of the five types, or of the type that the line names', async () => {
  const any = typing('nobody', 'owner@example.com');
  expect(await askKey(any.runtime, new Command())).toEqual(['owner@example.com']);
  expect(any.refused).toHaveLength(1);
  const typed = typing('owner@example.com', '+5511987654321');
  const command = new Command().option('--type <type>').setOptionValue('type', 'TELEFONE');
  expect(await askKey(typed.runtime, command)).toEqual(['+5511987654321']);
  expect(typed.refused).toHaveLength(1);
});
