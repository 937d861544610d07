/** Whose fault it is that a call failed: that of a record which somebody has edited, or ours. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usageError } from '../../../src/errors.ts';
import { diagnoseError } from '../../../src/sandbox/store/diagnose-error.ts';
import { openStore } from '../../../src/sandbox/store/store.ts';
import { emptyHome } from '../../support/run.ts';

const bug = new TypeError('x is not a function');
const odd = `INSERT INTO meta VALUES ('k', x'00')`;

it('an error remains a bug if the state holds nothing odd', () => {
  const store = openStore(join(emptyHome(), 'state.db'));
  expect(diagnoseError(store, bug)).toBe(bug);
  store.close();
});

it('an error remains a bug if the state is no file that anybody could have edited', () => {
  const store = openStore();
  store.execute(odd);
  expect(diagnoseError(store, bug)).toBe(bug);
  store.close();
});

it('a record that no sandbox has written is named, and what failed is its cause', () => {
  const store = openStore(join(emptyHome(), 'state.db'));
  store.execute(odd);
  const told = diagnoseError(store, bug);
  expect(told).toMatchObject({
    message: 'the record k of its table meta is not as pixctl writes it (edited by hand, or damaged)',
    cause: bug,
  });
  expect(diagnoseError(store, told)).toBe(told);
  store.close();
});

it('nothing is read for a closed sandbox', () => {
  const store = openStore(join(emptyHome(), 'state.db'));
  store.close();
  const closed = usageError('this sandbox is closed');
  expect(diagnoseError(store, closed)).toBe(closed);
});
