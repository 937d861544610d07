/** Where the code of a charge is shown: once at a terminal, on a line of its own, and in all that is read by others. */
import { expect, it } from 'vitest';
import { showWithoutCode } from '../../../src/commands/charge/show-code.ts';
import type { Charge } from '../../../src/contract/charge.ts';
import type { Runtime } from '../../../src/runtime.ts';
import type { View } from '../../../src/terminal/view.ts';
import { someCharge } from '../../support/hostile-server.ts';

it.each([
  ['a table at a terminal leaves it out', 'table', null, true, false],
  ['a table in a pipe has it', 'table', null, false, true],
  ['a table of named fields has it', 'table', ['id', 'brCode'], true, true],
  ['json has it, at a terminal too', 'json', null, true, true],
])('%s', async (_, format, fields, stdoutIsTerminal, has) => {
  const keys: string[] = [];
  const output = {
    options: { format, fields },
    show: async ({ columns }: View<Charge>) => void keys.push(...columns.map(({ key }) => key)),
  };
  const runtime = { output: async () => output, io: { stdoutIsTerminal } } as unknown as Runtime;
  await showWithoutCode(runtime, someCharge as Charge);
  expect([keys.includes('id'), keys.includes('brCode')]).toEqual([true, has]);
});
