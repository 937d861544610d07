import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../support/run.ts';

const secret = 'whsec_test_0123456789abcdef';
const body =
  '{"id":"evt_0001","event":"CHARGE_PAID","createdAt":"2026-01-02T03:04:05.000Z","data":{"id":"chg_0001","amount":12345}}';
const header = 't=1767323045,v1=f71aab663e9e24a8c7f90aaf47c207e858ac5af230281311bc2baa1a6a7c909d';
const folder = mkdtempSync(join(tmpdir(), 'pixctl-sign-'));
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const secretFile = file('secret.txt', `${secret}\n`);
const payloadFile = file('body.json', body);

describe('webhook sign', () => {
  const at = ['--timestamp', '1767323045'];

  it.each([
    ['files', ['--secret-file', secretFile, '--payload-file', payloadFile], {}],
    ['stdin', ['--secret-file', secretFile, '--payload-file', '-'], { input: body }],
    ['a secret from stdin', ['--secret-stdin', '--payload-file', payloadFile], { input: `${secret}\n` }],
    ['the environment', ['--payload-file', payloadFile], { env: { PIXCTL_WEBHOOK_SECRET: secret } }],
  ])('prints the known header from %s', async (_, flags, options) => {
    const { code, stdout, stderr } = await run(['webhook', 'sign', ...flags, ...at], options);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${header}\n`, stderr: '' });
  });

  it('prints an object as json', async () => {
    const { stdout } = await run([
      'webhook',
      'sign',
      '--secret-file',
      secretFile,
      '--payload-file',
      payloadFile,
      ...at,
      '-o',
      'json',
    ]);
    expect(JSON.parse(stdout)).toEqual({ header: 'Service-Signature', value: header });
  });

  it('signs with one secret, and not with any of two that are given', async () => {
    const both = ['--secret-file', secretFile, '--endpoint', 'wh_1', '--payload-file', payloadFile];
    const { code, stdout, stderr } = await run(['webhook', 'sign', ...both]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('--secret-file and --endpoint contradict each other. Nothing was signed.');
  });

  it('says of an endpoint without a secret here that nothing was signed', async () => {
    const args = ['webhook', 'sign', '--endpoint', 'nope', '--payload-file', payloadFile];
    const { code, stderr } = await run(args);
    expect(code).toBe(78);
    expect(stderr).toContain('No secret is stored here for the endpoint nope. Nothing was signed.');
  });

  it('signs with a secret of the environment that came from a file with a byte order mark', async () => {
    const env = { PIXCTL_WEBHOOK_SECRET: `\ufeff${secret}` };
    const { stdout } = await run(['webhook', 'sign', '--payload-file', payloadFile, ...at], { env });
    expect(stdout).toBe(`${header}\n`);
  });

  it.each(['-', '/dev/stdin'])('reads stdin for one thing only, also where it is a file %s', async (name) => {
    const args = ['webhook', 'sign', '--secret-file', name, '--payload-file', '/dev/fd/0'];
    const { code, stderr } = await run(args, { input: secret });
    expect(code).toBe(64);
    expect(stderr).toContain('cannot be both the secret and the payload. Nothing was sent.');
    expect(stderr).toContain('Give the secret in a file (--secret-file) or in PIXCTL_WEBHOOK_SECRET.');
  });

  const utf16 = Buffer.from(`\ufeff${secret}\n`, 'utf16le');
  it.each([
    ['UTF-16, as Windows PowerShell writes it', utf16, 'is UTF-16'],
    ['UTF-16 of the other order', Buffer.from(utf16).swap16(), 'is UTF-16'],
    ['UTF-16 without its mark', utf16.subarray(2), 'is UTF-16'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00]), 'is UTF-16, or not text'],
    ['Latin-1', Buffer.from('whsec_a\u00e7', 'latin1'), 'is not UTF-8 text'],
    ['two lines', `${secret}\nwhsec_other\n`, 'has more than one line'],
    ['two lines again', 'one\ntwo\n', 'Put the secret there, and nothing else'],
    ['nothing', '', 'is empty'],
    ['blanks', ' \n', 'is empty'],
    ['what a page shows covered', 'whsec_\u2022\u2022\u2022\u2022abcd\n', 'is masked'],
  ])('signs with no other secret than the one meant: a file of %s', async (_, bytes, said) => {
    const path = join(folder, 'other-secret');
    writeFileSync(path, bytes);
    const commands = [
      ['webhook', 'sign', '--secret-file', path, '--payload-file', payloadFile],
      ['webhook', 'sign', '--secret-stdin', '--payload-file', payloadFile],
      ['webhook', 'listen', '--port', '0', '--secret-file', path],
    ];
    for (const command of commands) {
      const { code, stdout, stderr } = await run(command, { input: bytes });
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(stderr).toContain(said);
    }
  });

  it('takes a secret with a byte order mark of UTF-8 for the secret', async () => {
    const path = file('marked', `\ufeff${secret}\r\n`);
    const args = ['webhook', 'sign', '--secret-file', path, '--payload-file', payloadFile, ...at];
    expect((await run(args)).stdout).toBe(`${header}\n`);
  });

  it.each([
    ['no secret', ['--payload-file', payloadFile], 'A signing secret is missing'],
    [
      'no such file',
      ['--secret-file', secretFile, '--payload-file', join(folder, 'none')],
      'cannot be read: there is no such file',
    ],
    ['stdin twice', ['--secret-stdin', '--payload-file', '-'], 'cannot be both'],
    [
      'milliseconds',
      ['--secret-file', secretFile, '--payload-file', payloadFile, '--timestamp', '1767323045000'],
      'looks like milliseconds. Nothing was signed.',
    ],
    [
      'words',
      ['--secret-file', secretFile, '--payload-file', payloadFile, '--timestamp', 'now'],
      'Unix time in seconds, not "now". Nothing was signed.',
    ],
    ['no payload', ['--secret-file', secretFile], '--payload-file'],
    [
      'what the system makes of other bytes',
      ['--payload-file', payloadFile],
      'is not UTF-8 text',
      'whsec_\ufffd',
    ],
  ])('exits 64 with %s', async (_, flags, said, fromEnvironment = '') => {
    const env = { PIXCTL_WEBHOOK_SECRET: fromEnvironment };
    const { code, stdout, stderr } = await run(['webhook', 'sign', ...flags], { env });
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(said);
  });
});

describe('webhook verify', () => {
  it.each(['table', 'csv', 'json', 'ndjson'])('refuses a field that %s does not have', async (format) => {
    const args = ['--secret-file', secretFile, '--payload-file', payloadFile, '--signature', header];
    const shown = ['--tolerance', 'none', '-o', format, '--fields', 'stauts'];
    const { code, stdout, stderr } = await run(['webhook', 'verify', ...args, ...shown]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('is not a field here');
  });

  const verify = (flags: string[], input = '') =>
    run(['webhook', 'verify', '--secret-file', secretFile, ...flags], { input });

  it('says of a genuine signature that every step holds', async () => {
    const { code, stdout, stderr } = await verify([
      '--payload-file',
      payloadFile,
      '--signature',
      header,
      '--tolerance',
      'none',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'The signature is valid.\n' });
    expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
      'Step Verdict',
      'header ok',
      'secret ok',
      'body ok',
      'signature ok',
      'time ok',
      '',
    ]);
  });

  it.each([
    ['with its name, as it is pasted from a log', `Service-Signature: ${header}`],
    ['in the quotes of the examples, which cmd.exe leaves there', `'${header}'`],
    ['in quotes with its name', `"Service-Signature: ${header}"`],
  ])('takes the header %s', async (_, signature) => {
    const { code } = await verify([
      '--payload-file',
      payloadFile,
      '--signature',
      signature,
      '--tolerance',
      'none',
    ]);
    expect(code).toBe(0);
  });

  it('exits 65 on a genuine signature that is old, and says so', async () => {
    const { code, stderr } = await verify(['--payload-file', payloadFile, '--signature', header]);
    expect(code).toBe(65);
    expect(stderr).toContain('it was signed');
    expect(stderr).toContain('--tolerance none');
  });

  it.each([
    ['a body with a newline', `${body}\n`, header, 'a newline at its end that was not signed'],
    ['a body serialised again', JSON.stringify(JSON.parse(body), null, 2), header, 'verify the raw bytes'],
    ['a byte order mark', `\ufeff${body}`, header, 'byte order mark'],
    ['a header without v1', body, 't=1767323045', 'has no v1'],
    ['an altered body', body.replace('12345', '12346'), header, 'does not match this body and secret'],
  ])('exits 65 and names %s', async (_, input, signature, said) => {
    const { code, stderr } = await verify(
      ['--payload-file', '-', '--signature', signature, '--tolerance', 'none'],
      input,
    );
    expect(code).toBe(65);
    expect(stderr).toContain(said);
  });

  it('tells a script of one that holds when it was signed, and no reason', async () => {
    const { code, stdout } = await verify(
      ['--payload-file', '-', '--signature', header, '--tolerance', 'none', '-o', 'json'],
      body,
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      timestamp: 1_767_323_045,
      reason: null,
      cause: null,
      steps: { length: 5 },
    });
  });

  it('tells a script the reason, and never the secret', async () => {
    const { stdout, stderr } = await verify(
      ['--payload-file', '-', '--signature', header, '--tolerance', 'none', '-o', 'json'],
      `${body}\n`,
    );
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, reason: 'signature-mismatch', timestamp: null });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'SIGNATURE_INVALID', exitCode: 65 } });
    expect(stdout + stderr).not.toContain(secret);
  });
});
