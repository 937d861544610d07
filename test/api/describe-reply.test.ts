import { expect, it } from 'vitest';
import { addDetails, contradictsItself, describeReply, failureTextOf } from '../../src/api/describe-reply.ts';

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
  expect(failureTextOf(reply(body))).toBe(said);
});

it('does not search a whole hostile page for a title again and again', () => {
  expect(failureTextOf(reply('<title'.repeat(1_000_000)))).toBeNull();
});

it.each([
  ['that was cut off', '{"data":{"name":"Ana"},"secret":"whs'],
  ['that nests too deeply', `[${'['.repeat(200)}{"secret":"abc"}`],
])('of JSON %s, in which a secret cannot be told from the rest, nothing is repeated', (_what, body) => {
  expect(failureTextOf(reply(body))).toBeNull();
});

it('does not scan a long answer of token beginnings from each of them', () => {
  expect(failureTextOf(reply(JSON.stringify('eyJ'.repeat(2_000_000))))).toHaveLength(303);
});

it.each([
  ['', '502 with an empty body'],
  ['{"data":{"id":"chg_1"', '502 with a body that is not JSON, or is cut off'],
  ['upstream timed out', '502 with a body that is not JSON, or is cut off'],
  ['['.repeat(200), '502 with JSON nested too deeply to read'],
  ['[{"id":"chg_1"}]', '502 without its envelope'],
])('of the body %j it says what it is', (body, words) => {
  expect(describeReply(reply(body))).toBe(words);
});

it.each([
  ['INTERNAL_ERROR', true],
  [{ code: 'INTERNAL_ERROR' }, true],
  [['INTERNAL_ERROR'], true],
  [null, false],
  [undefined, false],
  ['', false],
  [false, false],
  [0, false],
  [{}, false],
  [[], false],
])('a success beside the error %j contradicts itself: %s', (error, contradicts) => {
  expect(contradictsItself({ data: [], error, success: true })).toBe(contradicts);
});

it('a redirect is reported briefly, without its password and query', () => {
  const location = `https://ana:p@ss@api.example.com/${'v'.repeat(9_000)}?token=t`;
  const words = describeReply({ status: 307, headers: { location }, body: Buffer.from('') });
  expect(words).toMatch(/^307, a redirect to https:\/\/api\.example\.com\/v+\.\.\.$/);
  expect(words.length).toBeLessThan(350);
});

it('what a refusal says besides its message is shown on one line, and not scanned from each beginning', () => {
  expect(addDetails('No.', { details: 'a\n b' })).toBe('No (details: a b)');
  expect(addDetails('No.', { errors: ['eyJ'.repeat(2_000_000)] }).length).toBeLessThan(330);
});

it.each([
  [{}, 'No.'],
  [{ details: null, errors: [], fields: {}, reason: '' }, 'No.'],
  [{ data: 'd', id: 7, requestId: 'r' }, 'No.'],
  [{ errors: [{ field: 'amount', why: 'low' }] }, 'No (errors: [{"field":"amount","why":"low"}])'],
  [{ fields: { token: 't', data: 1 } }, 'No (fields: {"token":"[redacted]"})'],
  [{ reason: 'a', Details: 7 }, 'No (reason: a; Details: 7)'],
])('besides the message of a refusal, %j says', (more, said) => {
  expect(addDetails('No.', { error: 'X', message: 'No.', success: false, ...more })).toBe(said);
});

it('half of a token in a redirect is never shown', () => {
  const location = `https://api.example.com/eyJ${'a'.repeat(500)}.b.c`;
  expect(describeReply({ status: 307, headers: { location }, body: Buffer.from('') })).toMatch(
    /com\/eyJ\*{4}$/,
  );
});
