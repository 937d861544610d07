/** Errors in json name what was refused, for a program that marks a field in a form or a flag in a script. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { run } from '../support/run.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const refused = async (line: string) => {
  const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
  const { stderr } = await run([...line.split(' '), '-o', 'json'], { env });
  const { code, field, exitCode } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
  return [exitCode, code, field];
};

it.each([
  ['charge list --limit 0', '--limit'],
  ['charge list --limt 5', '--limt'],
  ['charge list --since tomorrow', '--since'],
  ['charge list --limit', '--limit'],
  ['charge get', '<id>'],
  ['charge create --amount 1,5', '--amount'],
  ['charge create', '--amount'],
  ['webhook listen --ack both', '--ack'],
  ['sandbox clock advance soon', '<duration>'],
  ['charge lst', undefined],
])('pixctl %s: %s', async (line, field) => {
  expect(await refused(line)).toEqual([64, 'USAGE', field]);
});

it('names the field of the request that the message of the service names', async () => {
  const effect = {
    kind: 'error',
    status: 400,
    code: 'VALIDATION_ERROR',
    message: 'customerId: is odd',
  } as const;
  sandbox.faults.add({ target: 'api', effect, times: 1 });
  expect(await refused('charge create --amount 500 --customer cust_1')).toEqual([
    ...[80, 'VALIDATION_ERROR', 'customerId'],
  ]);
});
