import { expect, it } from 'vitest';
import { createTrouble } from '../../../src/commands/webhook/listen-trouble.ts';
import { PixctlError, storageError } from '../../../src/errors.ts';

function setup() {
  const warned: string[] = [];
  const gone: PixctlError[] = [];
  let now = 0;
  const trouble = createTrouble({
    clock: { monotonic: () => now },
    warn: (text) => warned.push(text),
    onGone: (cause) => gone.push(cause),
  });
  return { warned, gone, trouble, wait: (ms: number) => (now += ms) };
}

it('tells trouble in sentences, and again only after a while', () => {
  const { warned, trouble, wait } = setup();
  const full = storageError('the database x is full: the disk has no room', { hint: 'Free some space.' });
  trouble(full);
  trouble(full);
  trouble(new Error('another'));
  trouble(full);
  wait(60_001);
  trouble(full);
  expect(warned).toEqual([
    'the database x is full: the disk has no room. Free some space.',
    'Error: another',
    'the database x is full: the disk has no room. Free some space.',
  ]);
});

it('ends the listener when the inbox is gone', () => {
  const { warned, gone, trouble } = setup();
  trouble(new PixctlError('storage', 'DATABASE_GONE', 'deleted'));
  expect(gone).toHaveLength(1);
  expect(warned).toEqual([]);
});
