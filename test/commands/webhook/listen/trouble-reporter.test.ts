import { expect, it } from 'vitest';
import { createTroubleReporter } from '../../../../src/commands/webhook/listen/trouble-reporter.ts';
import { PixctlError, storageError } from '../../../../src/errors.ts';

function setup() {
  const warned: string[] = [];
  const unusable: PixctlError[] = [];
  let now = 0;
  const trouble = createTroubleReporter({
    clock: { monotonic: () => now },
    warn: (text) => warned.push(text),
    onUnusable: (cause) => unusable.push(cause),
  });
  return { warned, unusable, trouble, wait: (ms: number) => (now += ms) };
}

it('tells trouble in sentences, and again only after a while', () => {
  const { warned, trouble, wait } = setup();
  const full = storageError('the database x cannot grow: the disk is full', { hint: 'Free some space.' });
  trouble(full);
  trouble(full);
  trouble(new Error('another'));
  trouble(full);
  wait(60_001);
  trouble(full);
  expect(warned).toEqual([
    'the database x cannot grow: the disk is full. Free some space.',
    'Error: another',
    'the database x cannot grow: the disk is full. Free some space.',
  ]);
});

it.each(['DATABASE_GONE', 'NOT_FLUSHED'])('ends the listener on %s: it can keep nothing any more', (code) => {
  const { warned, unusable, trouble } = setup();
  trouble(new PixctlError('storage', code, 'no'));
  expect(unusable.map((cause) => cause.code)).toEqual([code]);
  expect(warned).toEqual([]);
});
