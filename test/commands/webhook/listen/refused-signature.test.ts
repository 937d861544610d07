import { expect, it } from 'vitest';
import { createRefusalNote } from '../../../../src/commands/webhook/listen/refused-signature.ts';
import type { ForwardReport, ForwardResult } from '../../../../src/listener/report.ts';

const report = (forward: ForwardResult): ForwardReport => ({
  ...{ type: 'forward', id: 'evt_1', event: 'CHARGE_PAID', attempt: 2, state: 'WAITING', nextAt: null },
  ...{ forward, key: 'in_1' },
});
const notesOf = (printSecret: boolean, ...answers: ForwardResult[]) => {
  const notes: string[] = [];
  const tell = createRefusalNote({ printSecret }, (text) => notes.push(text));
  for (const answer of answers) tell(report(answer));
  return notes;
};

it.each([400, 401, 403])('names the secret once when the application answers %i', (status) => {
  const refused = { status, ms: 3 };
  expect(notesOf(false, { status: 200, ms: 3 }, refused, refused)).toEqual([
    `If your application refuses the signature (${status}), it has another secret than this listener: --print-secret shows the one that is used here.`,
  ]);
  expect(notesOf(true, refused)).toEqual([
    `If your application refuses the signature (${status}), it has another secret than this listener.`,
  ]);
});

it('is silent about anything else', () => {
  expect(notesOf(false, { status: 404, ms: 3 }, { status: 500, ms: 3 }, { error: 'reset', ms: 3 })).toEqual(
    [],
  );
});
