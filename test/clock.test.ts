import { expect, it } from 'vitest';
import { letServe } from '../src/clock.ts';

it('lets two turns of the event loop pass: one to take a connection, one to answer it', async () => {
  const done: string[] = [];
  setImmediate(() => {
    done.push('taken');
    setImmediate(() => done.push('answered'));
  });
  await letServe();
  expect(done).toEqual(['taken', 'answered']);
});
