/** The signature lab says what webhook verify says of the same things. */
import { expect, it } from 'vitest';
import { testSecret as secret, signatureOf } from '../../support/delivery.ts';
import { serve } from '../support/over-http.ts';
import { visit } from './visitor.ts';

const verdictOf = (text: string) => /data-testid="verdict"><h2>([^<]*)/.exec(text)?.[1];

it.each(['\n', '\r\n'])('takes a pasted body by the line breaks that were signed: %j', async (lineBreak) => {
  const page = await visit(await serve());
  const body = `{"id":"evt_1",${lineBreak}"event":"CHARGE_PAID"}`;
  // A browser hands in CRLF, whatever was pasted.
  const pasted = body.replace(/\r?\n/g, '\r\n');
  const { text } = await page.submit('lab', { header: signatureOf(body), body: pasted, secret });
  expect(verdictOf(text)).toBe('The signature is valid.');
  const other = await page.submit('lab', { header: signatureOf(`${body} `), body: pasted, secret });
  expect(verdictOf(other.text)).toBe('The signature does not verify.');
});

it.each([
  ['the signature header', { header: '', body: '{}', secret }],
  ['the secret', { header: signatureOf('{}'), body: '{}', secret: '' }],
])('says that nothing was checked where %s is missing', async (missing, fields) => {
  const page = await visit(await serve());
  const { text } = await page.submit('lab', fields);
  expect(verdictOf(text)).toBe(undefined);
  expect(text).toContain(`Nothing was checked: ${missing} is missing.`);
  expect((await page.see('lab')).text).not.toContain('Nothing was checked');
});
