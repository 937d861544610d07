import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { sign, signAt, verify } from '../../src/contract/signature.ts';

const secret = 'whsec_test_0123456789abcdef';
const body =
  '{"id":"evt_0001","event":"CHARGE_PAID","createdAt":"2026-01-02T03:04:05.000Z","data":{"id":"chg_0001","amount":12345}}';
const v1 = 'f71aab663e9e24a8c7f90aaf47c207e858ac5af230281311bc2baa1a6a7c909d';
const header = `t=1767323045,v1=${v1}`;
const now = 1_767_323_045_000;
const other = '0'.repeat(64);
const judge = (input: Partial<Parameters<typeof verify>[0]>) =>
  verify({ secret, body, header, now, toleranceMs: 300_000, ...input });

describe('sign', () => {
  it('makes the known signature', () => {
    expect(sign({ secret, body, timestamp: 1_767_323_045 })).toBe(header);
    expect(sign({ secret, body: Buffer.from(body), timestamp: 1_767_323_045 })).toBe(header);
  });

  it('makes the same signature at any moment within its second', () => {
    expect([0, 1, 999].map((ms) => signAt({ secret, body, now: now + ms }))).toEqual([
      header,
      header,
      header,
    ]);
    expect(signAt({ secret, body, now: now - 1 })).toMatch(/^t=1767323044,/);
  });

  it('signs bytes that are not text', () => {
    expect(sign({ secret, body: Uint8Array.of(0xff, 0x00), timestamp: 0 })).toBe(
      't=0,v1=f37b3b0556a4f678db2bd8fe996b67e146ec9504b143cc7de48a1fad145ea805',
    );
  });

  it.each([-1, 1.5, Number.NaN, 1e15])('refuses the timestamp %d', (timestamp) => {
    expect(() => sign({ secret, body, timestamp })).toThrow(TypeError);
  });
});

describe('verify', () => {
  it('accepts bytes of another realm, as a test runner with a browser in it makes them', () => {
    const bytes = runInNewContext('Uint8Array.from(bytes)', { bytes: [...Buffer.from(body)] });
    expect(bytes).not.toBeInstanceOf(Uint8Array);
    expect(judge({ body: bytes })).toEqual({ ok: true, timestamp: 1_767_323_045 });
    expect(sign({ secret, body: bytes, timestamp: 1_767_323_045 })).toBe(header);
  });

  it('accepts the known delivery', () => {
    expect(judge({})).toEqual({ ok: true, timestamp: 1_767_323_045 });
    expect(judge({ body: Buffer.from(body) })).toEqual({ ok: true, timestamp: 1_767_323_045 });
  });

  it.each([
    ['several v1, one of them ours', `t=1767323045,v1=${other},v1=${v1}`],
    ['ours first', `t=1767323045,v1=${v1},v1=${other}`],
    ['eight v1, the last of them ours', `t=1767323045${`,v1=${other}`.repeat(7)},v1=${v1}`],
    ['parts in another order', `v1=${v1},t=1767323045`],
    ['spaces between the parts', `t=1767323045, v1=${v1}`],
    ['hexadecimal digits in upper case', `t=1767323045,v1=${v1.toUpperCase()}`],
    ['parts of unknown schemes', `t=1767323045,v0=abc,v1=${v1},v2=xyz`],
    ['a header that came as an array of one', [header]],
  ])('accepts %s', (_, value) => {
    expect(judge({ header: value })).toEqual({ ok: true, timestamp: 1_767_323_045 });
  });

  it.each([
    [-300_400, 'it was signed 301 s in the future; 300 s are allowed: check the clocks'],
    [300_001, 'it was signed 301 s ago; 300 s are allowed'],
  ])('never words a refusal by %i ms as if that time were allowed', (age, message) => {
    expect(judge({ now: 1_767_323_045_000 + age })).toMatchObject({ ok: false, message });
  });

  it.each([
    ['no header', undefined, 'header-missing'],
    ['null', null, 'header-missing'],
    ['an empty header', '', 'header-missing'],
    ['an empty array', [], 'header-missing'],
    ['two headers', [header, header], 'header-duplicated'],
    ['two headers that were joined', `${header}, ${header}`, 'timestamp-duplicated'],
    ['a bare signature', v1, 'header-malformed'],
    ['an empty part', `t=1767323045,,v1=${v1}`, 'header-malformed'],
    ['a trailing comma', `${header},`, 'header-malformed'],
    ['another separator', `t=1767323045;v1=${v1}`, 'timestamp-malformed'],
    ['a space inside a part', `t=1767323045,v1= ${v1}`, 'header-malformed'],
    ['no t', `v1=${v1}`, 'timestamp-missing'],
    ['an empty t', `t=,v1=${v1}`, 'timestamp-malformed'],
    ['a t that is no number', `t=now,v1=${v1}`, 'timestamp-malformed'],
    ['a negative t', `t=-1,v1=${v1}`, 'timestamp-malformed'],
    ['a fractional t', `t=1767323045.0,v1=${v1}`, 'timestamp-malformed'],
    ['a t with a leading zero', `t=01767323045,v1=${v1}`, 'timestamp-malformed'],
    ['a t in milliseconds', `t=1767323045000,v1=${v1}`, 'timestamp-malformed'],
    ['a t in other digits', `t=١٧٦٧,v1=${v1}`, 'timestamp-malformed'],
    ['no v1', 't=1767323045', 'signature-missing'],
    ['only another scheme', `t=1767323045,v0=${v1}`, 'signature-missing'],
    ['a short v1', `t=1767323045,v1=${v1.slice(1)}`, 'signature-malformed'],
    ['a long v1', `t=1767323045,v1=${v1}0`, 'signature-malformed'],
    ['a v1 that is not hexadecimal', `t=1767323045,v1=g${v1.slice(1)}`, 'signature-malformed'],
    ['an empty v1', 't=1767323045,v1=', 'signature-malformed'],
    ['a good and a broken v1', `t=1767323045,v1=${v1},v1=zz`, 'signature-malformed'],
    ['nine v1', `t=1767323045${`,v1=${v1}`.repeat(9)}`, 'header-malformed'],
    ['an endless header', `t=1767323045,v1=${v1},x=${'y'.repeat(4000)}`, 'header-malformed'],
    ['a wrong v1', `t=1767323045,v1=${other}`, 'signature-mismatch'],
    ['a t that was changed', `t=1767323046,v1=${v1}`, 'signature-mismatch'],
  ] as const)('refuses %s', (_, value, reason) => {
    expect(judge({ header: value })).toMatchObject({ ok: false, reason });
  });

  it.each([
    ['63 characters', v1.slice(1), 'v1 has 63 characters that should be 64 hexadecimal digits'],
    ['another character', `g${v1.slice(1)}`, 'v1 has 64 characters, of which not all are hexadecimal digits'],
  ])('says what is wrong with a v1 of %s', (_, value, message) => {
    expect(judge({ header: `t=1767323045,v1=${value}` })).toMatchObject({ ok: false, message });
  });

  it.each([
    ['another secret', { secret: 'whsec_other' }],
    ['a changed body', { body: body.replace('12345', '12346') }],
    ['a body with a newline', { body: `${body}\n` }],
    ['an empty body', { body: '' }],
  ])('refuses %s', (_, input) => {
    expect(judge(input)).toMatchObject({ ok: false, reason: 'signature-mismatch' });
  });

  it.each([
    ['to the millisecond old', now + 300_000, { ok: true }],
    ['a millisecond too old', now + 300_001, { ok: false, reason: 'timestamp-too-old' }],
    ['to the millisecond ahead', now - 300_000, { ok: true }],
    ['a millisecond too far ahead', now - 300_001, { ok: false, reason: 'timestamp-in-future' }],
  ])('judges time both ways: %s', (_, at, verdict) => {
    expect(judge({ now: at })).toMatchObject(verdict);
  });

  it('accepts any time when no tolerance is set', () => {
    expect(judge({ now: 0, toleranceMs: null })).toMatchObject({ ok: true });
  });

  it('says "too old" only of what is genuine', () => {
    expect(judge({ now: now * 2, header: `t=1767323045,v1=${other}` })).toMatchObject({
      reason: 'signature-mismatch',
    });
  });

  it.each([
    ['an empty secret', { secret: '' }],
    ['a parsed body', { body: JSON.parse(body) }],
    ['a missing body', { body: undefined as unknown as string }],
    ['a now that is no number', { now: Number.NaN }],
    ['a negative tolerance', { toleranceMs: -1 }],
    ['a tolerance that is no number', { toleranceMs: Number.NaN }],
    ['a tolerance in big numbers', { toleranceMs: 300n as never }],
  ])('throws on misuse: %s', (_, input) => {
    expect(() => judge(input)).toThrow(TypeError);
  });

  it.each([[5], [5n], [{ 'service-signature': header }], [[undefined]]])(
    'says of the header %s that it is none',
    (given) => {
      expect(() => judge({ header: given as never })).toThrow(
        "header must be the signature header's value: ",
      );
    },
  );
});
