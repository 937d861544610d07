/** What comes with conf must not end the process at a signal: a withdrawal may be waiting for its answer. */
import { expect, it } from 'vitest';
import { importConf } from '../../src/config/import-conf.ts';

const listeners = () =>
  Object.fromEntries(
    process.eventNames().map((name) => [String(name), process.listeners(name as 'SIGTERM')]),
  );

it('leaves the listeners for signals as they were', async () => {
  const own = () => {};
  process.on('SIGTERM', own).on('SIGINT', own);
  const before = listeners();
  const Conf = await importConf();
  expect(Conf).toBeTypeOf('function');
  expect(listeners()).toMatchObject({ SIGTERM: before.SIGTERM, SIGINT: before.SIGINT });
  expect(Object.keys(listeners()).filter((name) => /^SIG/.test(name) && !(name in before))).toEqual([]);
  process.off('SIGTERM', own).off('SIGINT', own);
});
