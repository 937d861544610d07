import { expect, it } from 'vitest';
import { saidIn } from '../../src/api/describe.ts';

const reply = (body: string) => ({ status: 502, headers: {}, body: Buffer.from(body) });

it.each([
  ['the title of a web page', '<html><head><title>Bad\n gateway</title></head></html>', 'Bad gateway'],
  ['a text', 'upstream \n timed out', 'upstream timed out'],
  [
    'JSON without data and secrets',
    '{"data":{"id":1},"token":"t","why":"x"}',
    '{"token":"[redacted]","why":"x"}',
  ],
  ['no more than 300 characters', 'x'.repeat(400), `${'x'.repeat(300)}...`],
])('of a failure, tells %s', (_what, body, said) => {
  expect(saidIn(reply(body))).toBe(said);
});

it('does not look for a title through a whole hostile page again and again', () => {
  expect(saidIn(reply('<title'.repeat(1_000_000)))).toBeNull();
});
