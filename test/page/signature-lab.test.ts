/** What the signature lab says of a signature: whole, old, or of other line breaks. */
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { parseLabForm, SignatureLab } from '../../src/page/signature-lab.tsx';

const secret = 'whsec_test_0123456789abcdef';
const t = 1_767_323_045;
const signed = (body: string) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
const known = {
  header: `t=${t},v1=f71aab663e9e24a8c7f90aaf47c207e858ac5af230281311bc2baa1a6a7c909d`,
  body: '{"id":"evt_0001","event":"CHARGE_PAID","createdAt":"2026-01-02T03:04:05.000Z","data":{"id":"chg_0001","amount":12345}}',
};

const lab = async (fields: Record<string, string>, ageMs = 0) => {
  const form = parseLabForm({ secret, ...fields });
  const now = t * 1_000 + ageMs;
  return String(await SignatureLab({ to: '/lab', form, secrets: new Map(), now }));
};
const valid = 'The signature is valid.';

it.each([
  ['usual', 300_000, true],
  ['usual', 301_000, false],
  ['', 301_000, false],
  ['none', 86_400_000, true],
])('with the age %j, a signature of %i ms before is valid: %s', async (tolerance, ageMs, isValid) => {
  expect((await lab({ ...known, tolerance }, ageMs)).includes(valid)).toBe(isValid);
});

it.each([
  ['LF', '{\n}', '{\r\n}'],
  ['CRLF', '{\r\n}', '{\r\n}'],
])('a body that was signed with %s is valid as a form sends it', async (_, body, sent) => {
  expect(await lab({ header: signed(body), body: sent })).toContain(valid);
});

it('another body, or no secret, is not', async () => {
  expect(await lab({ ...known, body: `${known.body} ` })).not.toContain(valid);
  const unchecked = await lab({ ...known, secret: '' });
  expect(unchecked).not.toContain(valid);
  expect(unchecked).toContain('Nothing was checked: the secret is missing.');
});
