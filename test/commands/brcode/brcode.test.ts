import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { qrMatrix } from '../../../src/qr/matrix.ts';
import { encodePng } from '../../support/qr-png.ts';
import { run } from '../../support/run.ts';

const code =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
const png = encodePng(qrMatrix(code));
const folder = mkdtempSync(join(tmpdir(), 'pixctl-brcode-'));
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const judged = {
  valid: true,
  kind: 'static',
  key: '123e4567-e12b-12d1-a456-426655440000',
  url: null,
  amount: null,
  txid: null,
  name: 'Fulano de Tal',
  city: 'BRASILIA',
  description: null,
  findings: [],
};

describe('brcode verify', () => {
  it.each([
    ['a code on the command line', code, ''],
    ['stdin with a newline', '-', `${code}\n`],
    ['a PNG from stdin', '-', png],
    ['a PNG file', file('qr.png', png), ''],
    ['a text file', file('code.txt', `${code}\r\n`), ''],
    [
      'a data URI, as the API writes imageBase64',
      `data:image/png;base64,${Buffer.from(png).toString('base64')}`,
      '',
    ],
  ])('reads %s', async (_, argument, input) => {
    const { code: exit, stdout, stderr } = await run(['brcode', 'verify', argument, '-o', 'json'], { input });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(judged);
  });

  it('shows findings in words and exits 65 when the code was altered', async () => {
    const {
      code: exit,
      stdout,
      stderr,
    } = await run(['brcode', 'verify', code.replace('Fulano', 'Fulana'), '-o', 'json']);
    expect(exit).toBe(65);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      findings: [{ severity: 'error', field: '63' }],
    });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'BRCODE_INVALID', exitCode: 65 } });
  });

  it.each([
    ['an image without a code', '-', png.subarray(0, 100), 65, 'The image could not be read'],
    ['prose', 'hello', '', 65, 'not valid'],
    ['a JPEG', '-', Buffer.from('ffd8ffe000104a46494600', 'hex'), 65, 'neither UTF-8 text nor a PNG image'],
    ['UTF-16', file('wide.txt', Buffer.from(code, 'utf16le')), '', 65, 'or its text as UTF-8'],
    ['nothing', '-', '', 64, 'The code is missing'],
    [
      'a file that is not there',
      './nowhere.png',
      '',
      64,
      './nowhere.png cannot be read: there is no such file',
    ],
    ['a path where no file is', `${folder}/nowhere`, '', 64, 'cannot be read: there is no such file'],
    ['a path of Windows where no file is', 'Z:/none/such', '', 64, 'cannot be read: there is no such file'],
    ['a folder', folder, '', 64, `The file ${folder} cannot be read: it is a directory. Nothing was sent.`],
    [
      'a picture that is not there',
      'qr.JPG',
      '',
      64,
      'The file qr.JPG cannot be read: there is no such file',
    ],
  ])('says what is wrong with %s', async (_, argument, input, exit, said) => {
    const finished = await run(['brcode', 'verify', argument], { input });
    expect(finished.code).toBe(exit);
    expect(finished.stderr).toContain(said);
  });
});

it.skipIf(process.platform === 'win32')('brcode reads a pipe with a name, as of <(command)', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const read = run(['brcode', 'verify', pipe, '-o', 'json']);
  await appendFile(pipe, `${code}\n`);
  expect(JSON.parse((await read).stdout)).toEqual(judged);
});

describe('brcode decode', () => {
  it('names the fields', async () => {
    const { code: exit, stdout } = await run(['brcode', 'decode', code]);
    expect(exit).toBe(0);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'Field\tName\tValue\tMeaning',
      '00\tpayload format\t01\tEMV QR code, version 1',
      '26\tmerchant account (PIX)\t0014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\t',
      '26-00\tdomain\tbr.gov.bcb.pix\t',
    ]);
  });

  it('shows what could be read of a cut code, says what is wrong, and exits 65', async () => {
    const { code: exit, stdout, stderr } = await run(['brcode', 'decode', code.slice(0, 94), '-o', 'ndjson']);
    expect(exit).toBe(65);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).field),
    ).toEqual(['00', '26', '26-00', '26-01', '52', '53', '58']);
    expect(stderr).toContain('characters, but');
  });

  it('makes escape sequences in a code visible', async () => {
    const { stdout, stderr } = await run(['brcode', 'decode', '-'], { input: '0008\u001b[31mred' });
    expect(stdout + stderr).not.toContain('\u001b');
  });
});
