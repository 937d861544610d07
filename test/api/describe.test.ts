import { expect, it } from 'vitest';
import { describe, detailed, saidIn } from '../../src/api/describe.ts';

const reply = (body: string) => ({ status: 502, headers: {}, body: Buffer.from(body) });

it.each([
  ['the title of a web page', '<html><head><title>Bad\n gateway</title></head></html>', 'Bad gateway'],
  ['a text', 'upstream \n timed out', 'upstream timed out'],
  [
    'JSON without data and secrets',
    '{"data":{"id":1},"token":"t","why":"x"}',
    '{"token":"[redacted]","why":"x"}',
  ],
  [
    'no key of another merchant, nor half of one',
    `${'x'.repeat(290)} svc_of_another_merchant`,
    `${'x'.repeat(290)} svc_****`,
  ],
  [
    'no header that lets one in',
    '{"headers":{"Authorization":"Basic abc","Set-Cookie":"id=1","x-api-key":"abc"}}',
    '{"headers":{"Authorization":"[redacted]","Set-Cookie":"[redacted]","x-api-key":"[redacted]"}}',
  ],
  ['no more than 300 characters', 'x'.repeat(400), `${'x'.repeat(300)}...`],
])('of a failure, tells %s', (_what, body, said) => {
  expect(saidIn(reply(body))).toBe(said);
});

it('does not look for a title through a whole hostile page again and again', () => {
  expect(saidIn(reply('<title'.repeat(1_000_000)))).toBeNull();
});

it.each([
  ['that was cut off', '{"data":{"name":"Ana"},"secret":"whs'],
  ['that nests too deeply', `[${'['.repeat(200)}{"secret":"abc"}`],
])('of JSON %s, in which a secret cannot be told from the rest, nothing is repeated', (_what, body) => {
  expect(saidIn(reply(body))).toBeNull();
});

it('does not look through a long answer of beginnings of tokens from each of them', () => {
  expect(saidIn(reply(JSON.stringify('eyJ'.repeat(2_000_000))))).toHaveLength(303);
});

it.each([
  ['', '502 with an empty body'],
  ['{"data":{"id":"chg_1"', '502 with a body that is not JSON, or is cut off'],
  ['upstream timed out', '502 with a body that is not JSON, or is cut off'],
  ['['.repeat(200), '502 with JSON nested too deeply to read'],
  ['[{"id":"chg_1"}]', '502 without its envelope'],
])('of the body %j it says what it is', (body, words) => {
  expect(describe(reply(body))).toBe(words);
});

it('a redirect is told shortly, and without its password and query', () => {
  const location = `https://ana:p@ss@api.example.com/${'v'.repeat(9_000)}?token=t`;
  const words = describe({ status: 307, headers: { location }, body: Buffer.from('') });
  expect(words).toMatch(/^307, a redirect to https:\/\/api\.example\.com\/v+\.\.\.$/);
  expect(words.length).toBeLessThan(350);
});

it('what stands beside the message of a refusal is told in one line, and not looked through from each beginning', () => {
  expect(detailed('No.', { details: 'a\n b' })).toBe('No (details: a b)');
  expect(detailed('No.', { errors: ['eyJ'.repeat(2_000_000)] }).length).toBeLessThan(330);
});

it('of a redirect no half of a token is told', () => {
  const location = `https://api.example.com/eyJ${'a'.repeat(500)}.b.c`;
  expect(describe({ status: 307, headers: { location }, body: Buffer.from('') })).toMatch(/com\/eyJ\*{4}$/);
});
