/** What every answer of a page carries, and how large a form may be. */
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { createAccessGuard, formToken } from '../../src/page/access.ts';

const base = '/ui';
const app = new Hono()
  .use(...createAccessGuard({ base, token: 'secret' }))
  .get(base, (context) => context.text('page'))
  .post(base, (context) => context.text('done'));

const ask = (path: string, init?: RequestInit) => {
  const headers = { host: '127.0.0.1:4010', ...(init?.headers as object) };
  return app.request(`http://127.0.0.1:4010${path}`, { ...init, headers });
};

async function logIn(): Promise<string> {
  const answer = await ask(`${base}?token=secret`);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, base]);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

it('forbids other sites, guessed types and caches to do anything with it, and a refusal', async () => {
  const cookie = await logIn();
  for (const [status, headers] of [
    [200, { cookie }],
    [401, {}],
    [403, { host: 'example.com' }],
  ] as const) {
    const answer = await ask(base, { headers });
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  }
});

it('gives its cookie to no script, no other path and no other site', async () => {
  const answer = await ask(`${base}?token=secret&tab=1`);
  expect(answer.headers.get('location')).toBe('/ui?tab=1');
  // Two slashes would begin the address of another host.
  const elsewhere = await ask('//example.com/ui?token=secret');
  expect(elsewhere.headers.get('location')).toBe('/example.com/ui');
  expect(answer.headers.get('set-cookie')).toMatch(
    /^pixctl-page-4010=[\w-]+; Path=\/ui; HttpOnly; SameSite=Strict$/,
  );
});

it.each([
  [2 * 1024 * 1024, 200],
  [2 * 1024 * 1024 + 1, 413],
])('answers a form of %i bytes, length not announced, with %i', async (length, status) => {
  const start = `_form=${formToken('secret')}&body=`;
  const form = new Blob([start, 'x'.repeat(length - start.length)]);
  const answer = await ask(base, {
    method: 'POST',
    headers: {
      cookie: await logIn(),
      origin: 'http://127.0.0.1:4010',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.stream(),
    duplex: 'half',
  } as RequestInit);
  expect(answer.status).toBe(status);
});
