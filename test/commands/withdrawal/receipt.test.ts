/** What the receipt says of an order that the ledger tells nothing of. */
import { expect, it } from 'vitest';
import { receiptOf, receiptView } from '../../../src/commands/withdrawal/receipt.ts';
import { storageError } from '../../../src/errors.ts';
import { columnValue } from '../../../src/terminal/view.ts';
import * as say from '../../../src/withdrawal/outcome/create-outcome.ts';
import type { Outcome } from '../../../src/withdrawal/outcome/outcome.ts';
import { combineWithLedger } from '../../../src/withdrawal/settling/combine-with-ledger.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { key, scope } from '../../withdrawal/desk.ts';

const order = { idempotencyKey: 'K1', amount: 1050, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
const gone = storageError('the database cannot be reached');
const ended = (find: () => Promise<null>): Promise<Outcome> =>
  combineWithLedger(
    { ledger: { ...memoryLedger(), find } },
    { scope, idempotencyKey: key('K1') },
    say.failed(null, gone),
  );

it('is not sent where the ledger does not hold its key', async () => {
  const outcome = await ended(async () => null);
  expect(receiptOf(outcome, order)).toMatchObject({ state: 'NOT_SENT', moneyMoved: 'no', exitCode: 74 });
});

it('is unknown where the ledger could not be read: an earlier run may have paid it', async () => {
  const outcome = await ended(() => Promise.reject(gone));
  expect(receiptOf(outcome, order)).toMatchObject({ state: 'UNKNOWN', moneyMoved: 'maybe', exitCode: 74 });
});

it('does not deny an earlier run that left its outcome unknown: only a settled one is told of', async () => {
  const outcome = await ended(() => Promise.reject(gone));
  const column = receiptView.columns.find(({ key }) => key === 'replayed');
  expect([column?.header, column && columnValue(column, receiptOf(outcome, order))]).toEqual([
    'Settled by an earlier run',
    false,
  ]);
});
