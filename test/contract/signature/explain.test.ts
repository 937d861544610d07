import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { explainVerification } from '../../../src/contract/signature/explain.ts';
import { sign } from '../../../src/contract/signature.ts';

const secret = 'whsec_test_0123456789abcdef';
const body =
  '{"id":"evt_0001","event":"CHARGE_PAID","createdAt":"2026-01-02T03:04:05.000Z","data":{"id":"chg_0001","amount":12345}}';
const v1 = 'f71aab663e9e24a8c7f90aaf47c207e858ac5af230281311bc2baa1a6a7c909d';
const header = `t=1767323045,v1=${v1}`;
const t = 1_767_323_045;
const now = t * 1000;
const look = (input: Partial<Parameters<typeof explainVerification>[0]>) =>
  explainVerification({ secret, body, header, now, toleranceMs: 300_000, ...input });
const signed = (by: string, of: string | Uint8Array): string => sign({ secret: by, body: of, timestamp: t });
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest();
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('explain', () => {
  it('says of a genuine delivery that every step holds', () => {
    expect(look({})).toEqual({
      verified: { ok: true, timestamp: 1_767_323_045 },
      cause: null,
      steps: [
        { step: 'header', verdict: 'ok', text: 't is 1767323045, with one signature' },
        { step: 'secret', verdict: 'ok', text: '27 characters' },
        { step: 'body', verdict: 'ok', text: '118 bytes' },
        { step: 'signature', verdict: 'ok', text: 'it was made from this body with this secret' },
        { step: 'time', verdict: 'ok', text: 'signed at 2026-01-02T03:04:05Z' },
      ],
    });
  });

  it.each([
    ['arrays', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['objects', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
    ['lists of many numbers', `${'['.repeat(97)}${'1,'.repeat(120_000)}1${']'.repeat(97)}`],
  ])('returns for a forged body of deeply nested %s', (_, deep) => {
    const { verified, cause } = look({ body: deep, header: signed('another secret', deep) });
    expect(verified).toMatchObject({ ok: false, reason: 'signature-mismatch' });
    expect(cause).toBeNull();
  });

  it('returns for a forged body full of line breaks that are not at its end', () => {
    const broken = `${'\n'.repeat(1_000_000)}x`;
    expect(look({ body: broken, header: signed('another secret', broken) }).cause).toBeNull();
  });

  it('takes all line breaks off the end, and nothing else', () => {
    const without = `${body}\n\r`;
    expect(look({ body: `${without}\r\n\n\r\n`, header: signed(secret, without) }).cause).toContain(
      'a newline at its end that was not signed',
    );
  });

  it.each([
    ['UTF-16', utf16(body), '236 bytes; it seems to be UTF-16'],
    ['compressed', Buffer.from('1f8b0800', 'hex'), '4 bytes; it is compressed (gzip)'],
    ['marked', Buffer.from('\ufeff{}'), '5 bytes; it begins with a byte order mark'],
    ['ended like a line', Buffer.from('{}\n'), '3 bytes; it ends with a newline'],
    ['of lines that end as on Windows', Buffer.from('{\r\n}'), '4 bytes; it has CRLF line breaks'],
    ['missing', Buffer.alloc(0), '0 bytes; it is empty'],
  ])('calls a body odd that is %s', (_, odd, text) => {
    const { steps } = look({ body: odd, header: signed(secret, 'x') });
    expect(steps.find(({ step }) => step === 'body')).toEqual({ step: 'body', verdict: 'odd', text });
  });

  it.each(['efbb7b7d', 'ef7bbf7d', '7bbbbf7d', '1f7b7d', '7b8b7d'])(
    'sees no mark in %s, which only resembles one',
    (hex) => {
      const { steps } = look({ body: Buffer.from(hex, 'hex'), header: signed(secret, 'x') });
      expect(steps[2]).toEqual({ step: 'body', verdict: 'ok', text: `${hex.length / 2} bytes` });
    },
  );

  it('compares nothing where there is no signature', () => {
    const { verified, cause, steps } = look({ header: `t=${t}` });
    expect(verified).toMatchObject({ ok: false, reason: 'signature-missing' });
    expect(cause).toBeNull();
    expect(steps.map(({ step, verdict }) => [step, verdict])).toEqual([
      ['header', 'wrong'],
      ['secret', 'unknown'],
      ['body', 'ok'],
      ['signature', 'unknown'],
      ['time', 'unknown'],
    ]);
  });

  it('calls nothing odd about a body that was signed as it is', () => {
    const told = look({ body: `${body}\r\n`, header: signed(secret, `${body}\r\n`) });
    expect(told.steps.map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    expect(told.steps[2]?.text).toBe('120 bytes; it ends with a newline, has CRLF line breaks');
  });

  it('explains a mismatch by any of several signatures, as while a secret is being changed', () => {
    const { cause } = look({
      header: `${header.replace(v1, 'a'.repeat(64))},${signed(`${secret}\r\n`, body).split(',')[1]}`,
    });
    expect(cause).toBe('the signer uses the secret with a line break at its end');
  });

  it('does not take a signature with an empty secret for one with a secret without its prefix', () => {
    const empty = hmac('', `${t}.${body}`).toString('hex');
    expect(look({ secret: 'whsec_', header: `t=${t},v1=${empty}` }).cause).toBeNull();
  });

  it.each([
    ['of 200 KiB is found to be serialised again', 200, 'this body was parsed and serialised again'],
    ['of 300 KiB is not tried in every form: that would take longer than the answer is worth', 300, null],
  ])('a body %s', (_, kib, cause) => {
    const large = JSON.stringify({ id: 'evt_1', text: 'x'.repeat(kib * 1024) });
    const told = look({ body: JSON.stringify(JSON.parse(large), null, 2), header: signed(secret, large) });
    if (cause === null) expect(told.cause).toBeNull();
    else expect(told.cause).toContain(cause);
  });

  it('recognises UTF-16 without a mark, whichever byte comes first', () => {
    const swapped = utf16(body).swap16();
    for (const wide of [utf16(body), swapped])
      expect(look({ body: wide }).cause).toContain('this body is UTF-16');
  });

  const spoken = { b: 'São João', a: 'https://loja.example/x' };
  it.each([
    ['with four blanks', JSON.stringify(spoken, null, 4)],
    ['with tabs', JSON.stringify(spoken, null, '\t')],
    ['as PHP does', '{"b":"S\\u00e3o Jo\\u00e3o","a":"https:\\/\\/loja.example\\/x"}'],
    ['with its keys sorted, as Python does', '{"a": "https://loja.example/x", "b": "S\\u00e3o Jo\\u00e3o"}'],
  ])('recognises a body that was written %s when it was signed', (_, was) => {
    expect(look({ body: JSON.stringify(spoken), header: signed(secret, was) }).cause).toContain(
      'this body was parsed and serialised again',
    );
  });

  it('does not take a base64 secret for a line of an .env file', () => {
    const { steps } = look({ secret: 'c2VjcmV0LXNlY3JldA==' });
    expect(steps.filter(({ step }) => step === 'secret')).toMatchObject([{ verdict: 'unknown' }]);
  });

  it('distinguishes a stale delivery from a forged one', () => {
    const { cause, steps } = look({ now: now + 3_600_000 });
    expect(cause).toBeNull();
    expect(steps.filter(({ verdict }) => verdict !== 'ok')).toEqual([
      {
        step: 'time',
        verdict: 'wrong',
        text: 'it was signed 3600 s ago; 300 s are allowed; t is 2026-01-02T03:04:05Z',
      },
    ]);
  });

  it('names the time of the largest t that a header can hold', () => {
    const header = sign({ secret, body, timestamp: 999_999_999_999 });
    const { steps } = look({ header, toleranceMs: null });
    expect(steps.at(-1)).toEqual({ step: 'time', verdict: 'ok', text: 'signed at +033658-09-27T01:46:39Z' });
  });

  it.each([
    ['a secret with a newline', { secret: `${secret}\n` }, 'white space around it'],
    [
      'a signer whose secret has a newline',
      { header: signed(`${secret}\n`, body) },
      'with a line break at its end',
    ],
    [
      'a line of an .env file',
      { secret: `export HOOK_SECRET="${secret}"` },
      'the name of a variable before it',
    ],
    ['a bare line of an .env file', { secret: `HOOK_SECRET=${secret}` }, 'the name of a variable before it'],
    ['a secret in quotes', { secret: `"${secret}"` }, 'the secret in use is in quotes'],
    [
      'a signer without the prefix',
      { header: signed('test_0123456789abcdef', body) },
      'without its whsec_ prefix',
    ],
    ['a body with a newline', { body: `${body}\n` }, 'a newline at its end that was not signed'],
    [
      'a body that lost its newline',
      { header: signed(secret, `${body}\n`) },
      'a newline was signed at the end',
    ],
    ['a body with a byte order mark', { body: `\ufeff${body}` }, 'a byte order mark that was not signed'],
    [
      'a body with CRLF',
      { body: '{\r\n}', header: signed(secret, '{\n}') },
      'LF when it was signed, and are CRLF here',
    ],
    [
      'a body with LF',
      { body: '{\n}', header: signed(secret, '{\r\n}') },
      'CRLF when it was signed, and are LF here',
    ],
    [
      'a body indented by two',
      { body: JSON.stringify(JSON.parse(body), null, 2) },
      'parsed and serialised again',
    ],
    [
      'a body as Python writes it',
      { header: signed(secret, '{"a": 1, "b": [1, 2]}'), body: '{"a":1,"b":[1,2]}' },
      'parsed and serialised again',
    ],
    [
      'a body with escaped letters',
      { header: signed(secret, '{"a":"\\u00e7"}'), body: '{"a":"ç"}' },
      'parsed and serialised again',
    ],
    [
      'a body with escaped slashes',
      { header: signed(secret, '{"a":"x\\/y"}'), body: '{"a":"x/y"}' },
      'parsed and serialised again',
    ],
    [
      'a body with sorted keys',
      { header: signed(secret, '{"a":1,"b":2}'), body: '{"b":2,"a":1}' },
      'parsed and serialised again',
    ],
    [
      'a body with sorted keys, in a list too',
      { header: signed(secret, '{"list":[{"a":1,"b":2}]}'), body: '{"list":[{"b":2,"a":1}]}' },
      'parsed and serialised again',
    ],
    [
      'a body that went through Latin-1',
      { header: signed(secret, '{"a":"ç"}'), body: '{"a":"Ã§"}' },
      'read as Latin-1',
    ],
    [
      'a signer that reads the body as Latin-1',
      { header: signed(secret, '{"a":"Ã§"}'), body: '{"a":"ç"}' },
      'its signer read it as Latin-1',
    ],
    [
      'a signer that writes the body as Latin-1',
      { header: signed(secret, Buffer.from('{"a":"ç"}', 'latin1')), body: '{"a":"ç"}' },
      'was signed as Latin-1',
    ],
    ['a body in UTF-16', { body: utf16(`\ufeff${body}\r\n`) }, 'this body is UTF-16, as > of'],
    ['a body in UTF-16 without a mark', { body: utf16(body) }, 'this body is UTF-16, as > of'],
    ['a body in big-endian UTF-16', { body: utf16(`\ufeff${body}`).swap16() }, 'this body is UTF-16'],
    [
      'both at once',
      { secret: ` ${secret}`, body: `${body}\n` },
      'white space around it that the signer does not have; and this body has a newline',
    ],
    [
      'a signature of the body alone',
      { header: `t=${t},v1=${hmac(secret, body).toString('hex')}` },
      'signs the body alone',
    ],
    [
      'another header scheme',
      { header: `sha256=${hmac(secret, body).toString('hex')}` },
      'signs the body alone',
    ],
    [
      'a missing dot',
      { header: `t=${t},v1=${hmac(secret, `${t}${body}`).toString('hex')}` },
      'lacks the dot',
    ],
    [
      'a signature in base64',
      { header: `t=${t},v1=${hmac(secret, `${t}.${body}`).toString('base64')}` },
      'only the header is written wrongly',
    ],
    [
      'a header in another order of marks',
      { header: `t=${t};v1=${v1}` },
      'only the header is written wrongly',
    ],
  ])('names %s', (_, input, said) => {
    const { verified, cause, steps } = look(input);
    expect(verified.ok).toBe(false);
    expect(cause).toContain(said);
    expect(steps.find(({ step }) => step === 'signature')?.verdict).toBe('wrong');
  });

  it.each([
    ['a wrong secret', { secret: 'whsec_other' }],
    ['a changed amount', { body: body.replace('12345', '12346') }],
    ['a changed t', { header: `t=1767323046,v1=${v1}` }],
    ['bytes that are no text', { body: Uint8Array.of(0xff, 0xfe, 0x00) }],
    ['an empty body', { body: '' }],
  ])('does not invent a cause for %s', (_, input) => {
    expect(look(input)).toMatchObject({ verified: { ok: false, reason: 'signature-mismatch' }, cause: null });
  });

  it('says what is odd about a secret that cannot be right', () => {
    const odd = (text: string) => look({ secret: text }).steps.find(({ step }) => step === 'secret')?.text;
    expect(odd('svc_live_1')).toBe('it looks like an API key, not like a signing secret');
    expect(odd('other\n')).toBe('it ends with a line break');
    expect(odd(' other')).toBe('it begins or ends with white space');
  });

  it('never shows the secret', () => {
    for (const input of [{}, { secret: `"${secret}"` }, { body: `${body} ` }, { header: 'x' }])
      expect(JSON.stringify(look(input))).not.toContain('0123456789abcdef');
  });

  it('throws on misuse, as verify does', () => {
    expect(() => look({ secret: '' })).toThrow(TypeError);
    expect(() => look({ body: JSON.parse(body) })).toThrow(TypeError);
  });
});
