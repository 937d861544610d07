/** docs/json.md shows what the commands print with `-o json`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandRows } from '../../src/commands/help/commands.ts';
import { createProgram } from '../../src/program.ts';
import type { Runtime } from '../../src/runtime.ts';
import { examplesOf, findDifferences } from '../support/json-page.ts';
import { openScenario } from '../support/json-scenario.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/json.md', import.meta.url)), 'utf8');

describe('docs/json.md', () => {
  it('shows what each of its commands prints: names, types, what is null, ids that belong together', async () => {
    await using scenario = await openScenario();
    const found: string[] = [];
    const examples = examplesOf(page);
    for (const { line, shown } of examples) {
      const differences = findDifferences(shown, await scenario.print(line), scenario.names);
      found.push(...differences.map((difference) => `${line}: ${difference}`));
    }
    expect(found).toEqual([]);
    expect(examples).toHaveLength(page.match(/^```json$/gm)?.length ?? 0);
  });

  it('names every command that prints records', async () => {
    const rows = [...commandRows(await createProgram({} as Runtime, 'all'))];
    const prints = rows.filter(({ fields }) => fields.length > 0).map(({ command }) => command);
    expect(prints.length).toBeGreaterThan(60);
    const isNamed = (command: string) =>
      new RegExp(`^${command} |^${command}$|\`${command.replace('pixctl ', '')}\``, 'm').test(page);
    expect(prints.filter((command) => !isNamed(command))).toEqual([]);
  });
});

describe('a difference', () => {
  it.each([
    ['a field that is gone', { a: 1, b: 2 }, { a: 1 }, ['$.b: is not there']],
    ['a field that is new', { a: 1 }, { a: 1, b: 'x' }, ['$.b: is not in the example ("x")']],
    ['another type', { a: 1 }, { a: '1' }, ['$.a: "1", in the example 1']],
    ['null for text', { a: 'x' }, { a: null }, ['$.a: null, in the example "x"']],
    ['another state', { a: 'PAID' }, { a: 'PENDING' }, ['$.a: "PENDING", in the example "PAID"']],
    ['a list without an item', [{ a: 1 }], [], ['$: is empty']],
    ['an item of no kind shown', [{ a: 1 }], [{ a: 2 }, { a: null }], ['$[1].a: null, in the example 1']],
    ['two ids for one', ['chg_1', 'chg_1'], ['chg_a', 'chg_b'], ['$[1]: "chg_b", in the example "chg_1"']],
  ])('is %s', (_, shown, actual, differences) => {
    expect(findDifferences(shown, actual, new Map())).toEqual(differences);
  });

  it('is neither another text nor another number', () => {
    expect(findDifferences({ a: 'x', b: [1, 2] }, { a: 'y', b: [3] }, new Map())).toEqual([]);
  });
});
