/**
 * Files of tests that share a process: each must leave it as it found it, or the order of the files would matter. A
 * file that cannot does not belong to `together` in vitest.config.ts.
 */
import { afterAll, expect } from 'vitest';

const before = state();

afterAll(() => {
  expect(state(), 'what this file has changed in its process').toEqual(before);
});

function state() {
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  return {
    directory: process.cwd(),
    environment: { ...process.env },
    exitCode: process.exitCode,
    listeners: Object.fromEntries(listeners),
    umask: process.umask(),
  };
}
