import { expect, it } from 'vitest';
import { run } from './support/run.ts';

it.each([
  [['--json']],
  [['-o', 'ndjson']],
  [['-ojson']],
  [['--output=json']],
  [['--output', 'json']],
  [['-qo', 'json']],
  [['-qyojson']],
])('tells an error as JSON to whoever asked for it, with %j', async (flags) => {
  const { code, stderr } = await run(['charge', 'get', 'chg_1', ...flags]);
  expect([code, JSON.parse(stderr)]).toMatchObject([78, { error: { code: 'NO_PROFILE', exitCode: 78 } }]);
});

it('tells people what is wrong in words', async () => {
  expect((await run(['charge', 'get', 'chg_1', '-qo', 'csv'])).stderr).toMatch(
    /^error: The address of the service is not known/,
  );
});
