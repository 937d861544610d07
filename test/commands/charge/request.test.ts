import { expect, it } from 'vitest';
import { bodyOf, complete } from '../../../src/commands/charge/request.ts';
import type { Prompter } from '../../../src/terminal/prompter.ts';

it('an id that was pasted into its question is taken without the spaces around it', async () => {
  const answers = ['10,50', 'Two coffees', ' cust_1\t'];
  const prompter = {
    canAsk: true,
    input: async () => answers.shift() ?? '',
  } as Partial<Prompter> as Prompter;
  const { flags, asked } = await complete({}, prompter);
  expect(asked).toBe(true);
  expect(bodyOf(flags)).toEqual({
    method: 'PIX',
    amount: 1050,
    description: 'Two coffees',
    customerId: 'cust_1',
  });
});
