/** What a charge that lies, or a server that attacks the terminal, makes of the charge commands. */
import { describe, expect, it } from 'vitest';
import { checkCharge } from '../../../src/commands/charge/check.ts';
import { qrMatrix } from '../../../src/qr/matrix.ts';
import { failure, hostileServer, json, someCharge, success } from '../../support/hostile-server.ts';
import { encodePng } from '../../support/qr-png.ts';
import { run } from '../../support/run.ts';

const pictureOf = (text: string) =>
  `data:image/png;base64,${Buffer.from(encodePng(qrMatrix(text))).toString('base64')}`;
/** Static, R$ 10,50, CRC right. */
const code =
  '00020126330014br.gov.bcb.pix0111529982247255204000053039865405' +
  '10.505802BR5903ANA6009SAO PAULO62070503***6304';

describe('a charge is checked before it is shown', () => {
  const honest = { ...someCharge, imageBase64: pictureOf(someCharge.brCode) };
  it.each([
    { what: 'all agrees', charge: honest, problems: [] },
    {
      what: 'the amount is another',
      charge: { ...honest, amount: 9999 },
      problems: ['the charge is for R$ 99,99, but R$ 10,50 was asked for'],
    },
    {
      what: 'the picture is that of another code',
      charge: { ...honest, imageBase64: pictureOf('pay me instead') },
      problems: ['the QR code in the picture is not the same as the copy-and-paste code'],
    },
    {
      what: 'the picture is no picture',
      charge: { ...honest, imageBase64: 'javascript:alert(1)' },
      problems: ['the picture is not a PNG'],
    },
    {
      what: 'the picture is in bare base64, and agrees',
      charge: { ...honest, imageBase64: honest.imageBase64.replace(/^data:.*?,/, '') },
      problems: [],
    },
    {
      what: 'the code was altered',
      charge: { ...honest, brCode: honest.brCode.replace('GERENCIANET', 'GERENCIANIT') },
      problems: [
        expect.stringContaining('the CRC is E615'),
        'the QR code in the picture is not the same as the copy-and-paste code',
      ],
    },
    {
      what: 'the code is nothing',
      charge: { ...honest, brCode: '' },
      problems: expect.arrayContaining(['the code is empty']),
    },
  ])('$what', async ({ charge, problems }) => {
    expect(await checkCharge(charge, 1050)).toEqual(problems);
  });

  it('and a code with another amount inside is reported', async () => {
    const { crc16 } = await import('../../../src/contract/brcode/crc.ts');
    const brCode = code + crc16(code);
    const charge = { ...someCharge, amount: 2000, brCode, imageBase64: pictureOf(brCode) };
    expect(await checkCharge(charge, 2000)).toEqual([
      'the copy-and-paste code is for R$ 10,50, not for R$ 20,00',
    ]);
  });

  it.each([
    [409, 'CONFLICT'],
    [400, 'NOT_OF_THE_DOCUMENT'],
  ])('a refusal that proves nothing is not reported as one: %i %s', async (status, error) => {
    await using server = await hostileServer((response) => json(response, status, failure(error, 'why')));
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
    const told = await run(['charge', 'create', '--amount', '1050', '-o', 'json'], { env });
    expect(told).toMatchObject({ code: 81, stdout: '' });
    expect(told.stderr).toContain('This request may have created a charge even so.');
    expect(told.stderr).toContain('pixctl charge list --since 10m --min-amount 1050 --max-amount 1050');
    expect(told.stderr).not.toContain('Nothing moved');
  });

  it('and the warning is loud, on stderr, and the charge is shown even so', async () => {
    await using server = await hostileServer((response) =>
      json(response, 201, success({ ...honest, amount: 99_999, imageBase64: pictureOf('x') })),
    );
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
    const {
      code: exit,
      stdout,
      stderr,
    } = await run(['charge', 'create', '--amount', '1050', '-o', 'json'], { env });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout).id).toBe('chg_1');
    expect(stderr.match(/warning: DO NOT LET ANYBODY PAY THIS YET/g)).toHaveLength(2);
  });
});

describe('nothing raw reaches the output', () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp\r\n\u0008';
  const reply = {
    ...Object.fromEntries(
      Object.entries(someCharge).map(([name, value]) => [
        name,
        typeof value === 'string' ? value + evil : value,
      ]),
    ),
    customer: { id: evil, name: evil, taxId: evil, email: evil, phone: evil },
    [evil]: evil,
  };
  const raw = /(?!\n)[\p{Cc}\p{Cf}]/u;
  const commands = [
    ['charge', 'create', '--amount', '1050'],
    ['charge', 'list'],
    ['charge', 'list', '--all'],
    ['customer', 'get', 'x'],
    ['api', 'GET', '/x'],
    ['api', 'GET', '/x', '-i'],
  ];
  it.each(
    commands.flatMap((args) =>
      (args.includes('--all') ? ['table', 'json', 'ndjson', 'csv'] : ['table', 'json']).map((format) => ({
        args,
        format,
      })),
    ),
  )('$args -o $format', async ({ args, format }) => {
    await using server = await hostileServer((response, { method, path }) => {
      const isList = path.includes('list');
      const data = isList ? [reply] : { ...reply, ...(path === '/customers/x' ? { id: 'x' } : {}) };
      json(response, method === 'POST' ? 201 : 200, {
        ...success(data),
        pagination: { hasMore: false, next: null, before: evil },
      });
    });
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
    const { code: exit, stdout, stderr } = await run([...args, '-o', format], { env });
    expect(exit).toBe(0);
    // Tabs part the columns of a piped table.
    expect(format === 'table' ? stdout.replaceAll('\t', '') : stdout).not.toMatch(raw);
    expect(stderr).not.toMatch(raw);
  });

  it.each(['table', 'json'])('an error in its message, -o %s', async (format) => {
    await using server = await hostileServer((response) =>
      json(response, 400, { success: false, error: 'BAD_REQUEST', message: evil }),
    );
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
    const { code: exit, stdout, stderr } = await run(['charge', 'get', 'x', '-o', format], { env });
    expect({ exit, stdout }).toEqual({ exit: 80, stdout: '' });
    expect(stderr).not.toMatch(raw);
  });
});
