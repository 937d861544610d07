import { expect, it } from 'vitest';
import { toAttemptFacts } from '../../src/listener/forwarding/attempt.ts';
import type { PostResult } from '../../src/listener/posting/post.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it.each<[string, PostResult, string | null]>([
  [
    'a refusal with words',
    { status: 422, ms: 1, body: bytes('{"error":"no such customer"}') },
    '{"error":"no such customer"}',
  ],
  ['a redirect', { status: 302, ms: 1, body: bytes('moved') }, 'moved'],
  ['a refusal without words', { status: 500, ms: 1, body: bytes('') }, null],
  ['a success, whatever it says', { status: 204, ms: 1, body: bytes('thanks') }, null],
  ['no answer', { error: 'refused the connection', ms: 1, reached: false }, null],
  [
    'bytes that are no text',
    { status: 500, ms: 1, body: new Uint8Array([0x00, 0xff, 0x41]) },
    '\ufffd\ufffdA',
  ],
  ['a long page', { status: 500, ms: 1, body: bytes('x'.repeat(60_000)) }, 'x'.repeat(4_096)],
])('keeps of %s what the application said', (_, result, answer) => {
  const prepared = { headers: [], signature: 'fresh' } as const;
  const facts = toAttemptFacts({ key: 'in_1' }, 2, {
    url: 'http://localhost/',
    startedAt: 5,
    prepared,
    result,
  });
  expect(facts).toMatchObject({ key: 'in_1', number: 2, url: 'http://localhost/', startedAt: 5, answer });
});
