/** What the end of a withdrawal says, and where: a note for what is done, the error of the run for the rest. */
import { expect, it } from 'vitest';
import type { Asked } from '../../../src/commands/withdrawal/receipt.ts';
import { showOutcome } from '../../../src/commands/withdrawal/show-outcome.ts';
import type { Runtime } from '../../../src/runtime.ts';
import type { Outcome } from '../../../src/withdrawal/outcome/outcome.ts';

/** Shows an outcome of which the ledger has no row, so that no receipt follows. */
async function told(outcome: Partial<Outcome>, skipped: boolean) {
  const notes: string[] = [];
  const output = { options: { format: 'table' }, note: (text: string) => notes.push(text) };
  const runtime = { output: async () => output, flight: { completed: null } } as unknown as Runtime;
  const whole = { ...{ code: 'CODE', message: 'It ended.', intent: null }, ...outcome } as Outcome;
  const error = await showOutcome(runtime, whole, {} as Asked, { skipped }).then(
    () => null,
    ({ exit, message, hint, alreadyShown }) => ({ exit, message, hint, alreadyShown }),
  );
  return { notes, error };
}

it.each<[string, Partial<Outcome>, boolean, readonly string[], object | null]>([
  ['done', { exit: 'ok' }, false, ['No money moved. It ended.'], null],
  [
    'done, with a next step',
    { exit: 'ok', hint: 'Go on.' },
    false,
    ['No money moved. It ended.\nGo on.'],
    null,
  ],
  [
    'refused',
    { exit: 'refused', hint: 'Go back.' },
    false,
    [],
    { exit: 80, message: 'No money moved. It ended.', hint: 'Go back.', alreadyShown: false },
  ],
  [
    'skipped, as --if-busy skip asks for: said once',
    { exit: 'later' },
    true,
    ['No money moved. It ended.'],
    { exit: 75, message: 'No money moved. It ended.', hint: undefined, alreadyShown: true },
  ],
])('%s', async (_, outcome, skipped, notes, error) => {
  expect(await told(outcome, skipped)).toEqual({ notes, error });
});
