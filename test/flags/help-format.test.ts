/** Help on terminals of all widths. */
import { describe, expect, it } from 'vitest';
import { walkCommands } from '../../src/program/harden.ts';
import { createProgram } from '../../src/program.ts';
import type { Runtime } from '../../src/runtime.ts';
import { memoryIo } from '../support/memory-io.ts';

async function helpOf(path: string, columns: number): Promise<string> {
  const io = memoryIo({ columns });
  const program = await createProgram({ io } as unknown as Runtime, [...path.split(' '), '--help']);
  const [noun, verb] = path.split(' ');
  const command = [...walkCommands(program)].find(
    (each) => each.name() === verb && each.parent?.name() === noun,
  );
  command?.outputHelp();
  return io.out;
}

describe('help', () => {
  it.each([24, 40, 60, 71])(
    'runs over no line of %i columns, but for what is to be pasted',
    async (columns) => {
      const help = await helpOf('charge create', columns);
      const lines = help.replace(/^ {2}(pixctl|-|#) ?.*$/gm, '').split('\n');
      expect(lines.filter((line) => line.length > columns && !line.startsWith('Usage:'))).toEqual([]);
    },
  );

  it('has descriptions below their flags where beside them there is no room', async () => {
    expect(await helpOf('charge create', 40)).toContain(
      [
        '  -a, --amount <amount>',
        '      cents (1050) or reais with two',
        '      decimals (10,50); 100 to 100000000',
        '      cents',
        '  -d, --description <text>',
      ].join('\n'),
    );
  });

  it('has them beside their flags where there is', async () => {
    expect(await helpOf('charge create', 80)).toContain(
      [
        '  -a, --amount <amount>        cents (1050) or reais with two decimals (10,50);',
        '                               100 to 100000000 cents',
      ].join('\n'),
    );
  });
});
