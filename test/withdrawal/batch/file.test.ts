import { describe, expect, it } from 'vitest';
import { readBatchFile } from '../../../src/withdrawal/batch/file.ts';

const header = 'idempotency_key,amount,pix_key,pix_key_type';
const read = (text: string) => readBatchFile(Buffer.from(text));
const reasons = async (text: string) => (await read(text)).bad;

const maria = {
  line: 2,
  idempotencyKey: 'k-1',
  amount: 1050,
  pixKey: 'maria@example.com',
  pixKeyType: 'EMAIL',
};

describe('a batch file', () => {
  it.each([
    ['as documented', `${header}\nk-1,1050,maria@example.com,EMAIL\n`],
    ['without a final line break', `${header}\nk-1,1050,maria@example.com,EMAIL`],
    ['with CRLF and a byte order mark', `\ufeff${header}\r\nk-1,1050,maria@example.com,EMAIL\r\n`],
    ['with quotes and a decimal comma', `${header}\n"k-1","10,50","maria@example.com","EMAIL"\n`],
    [
      'as a Brazilian spreadsheet writes it',
      `${header.replaceAll(',', ';')}\nk-1;10,50;maria@example.com;EMAIL\n`,
    ],
    [
      'with blanks, empty lines at the end and another case',
      `${header}\n k-1 , 1050 , Maria@Example.com , email \n\n\n`,
    ],
    [
      'with rows that were emptied in a spreadsheet',
      `${header.replaceAll(',', ';')}\r\nk-1;10,50;maria@example.com;EMAIL\r\n;;;\r\n ; ; ; \r\n`,
    ],
    [
      'with a header in quotes, with blanks, and in another case',
      '"idempotency_key", Amount ,"PIX_KEY",pix_key_type\nk-1,1050,maria@example.com,EMAIL\n',
    ],
    [
      'with the empty columns at the right that a spreadsheet writes for cells once used',
      `${header.replaceAll(',', ';')};;\r\nk-1;10,50;maria@example.com;EMAIL;;\r\n;;;;;\r\n`,
    ],
    ['with such columns in the header only', `${header},,\nk-1,1050,maria@example.com,EMAIL\n`],
    ['with the type left to the key', `${header}\nk-1,1050,maria@example.com,\n`],
    [
      'with the columns in another order',
      'amount,pix_key_type,pix_key,idempotency_key\n1050,EMAIL,maria@example.com,k-1\n',
    ],
  ])('is read %s', async (_, text) => {
    expect(await read(text)).toEqual({ lines: [maria], bad: [] });
  });

  it.each([
    ['amount', 'idempotency_key,pix_key,pix_key_type,amount', 'k-1,maria@example.com,EMAIL,1050'],
    ['pix_key', 'idempotency_key,amount,pix_key_type,pix_key', 'k-1,1050,EMAIL,maria@example.com'],
    ['idempotency_key', 'amount,pix_key_type,pix_key,idempotency_key', '1050,EMAIL,maria@example.com,k-1'],
  ])('is refused if it may end in the midst of the last %s', async (column, names, row) => {
    const cut = { line: 2, columns: [column], reason: expect.stringContaining(`${column} may be cut short`) };
    expect((await read(`${names}\n${row}`)).bad).toEqual([cut]);
    expect(await read(`${names}\n${row}\n`)).toEqual({ lines: [maria], bad: [] });
    const bad = { line: 2, columns: ['pix_key'], reason: expect.stringContaining('pix_key: ') };
    expect((await read(`${names}\n${row.replace('maria', 'm@ria')}`)).bad).toEqual([bad]);
    // In the columns that a spreadsheet leaves at the right, the comma is that of an amount whose cents are missing.
    expect((await read(`${names},\n${row},`)).bad).toEqual([cut]);
    expect(await read(`${names},\n${row},\n`)).toEqual({ lines: [maria], bad: [] });
  });

  it('never takes the reais of an amount without quotes for cents, whatever the order of the columns', async () => {
    const cells = {
      idempotency_key: 'k-1',
      amount: '1050,00',
      pix_key: 'maria@example.com',
      pix_key_type: 'EMAIL',
    };
    type Name = keyof typeof cells;
    const orders = (names: Name[]): Name[][] =>
      names.length < 2
        ? [names]
        : names.flatMap((name) =>
            orders(names.filter((other) => other !== name)).map((rest) => [name, ...rest]),
          );
    for (const order of orders(Object.keys(cells) as Name[]))
      for (const type of ['EMAIL', ''])
        for (const spare of ['', ',', ',,']) {
          const row = order.map((name) => (name === 'pix_key_type' ? type : cells[name])).join(',');
          const { lines, bad } = await read(`${order.join(',')}${spare}\n${row}${spare}\n${row}\n`);
          expect([lines, bad.length]).toEqual([[], 2]);
        }
  });

  it('refuses more lines than it takes, and names the first of them', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, n) => `k-${n},1050,maria@example.com,EMAIL\n`);
    const most = await read(`${header}\n${lines(20_000).join('')}`);
    expect([most.lines.length, most.bad]).toEqual([20_000, []]);
    expect(await read(`sep=,\n${header}\n${lines(20_001).join('')}`)).toEqual({
      lines: [],
      bad: [{ line: 20_003, reason: 'more than 20000 lines; split the file' }],
    });
  });

  it('reports every bad line with its number and reason, and returns the good ones too', async () => {
    const file = await read(
      [
        header,
        'k-1,1050,maria@example.com,EMAIL',
        'k-2,10.5,maria@example.com,EMAIL',
        'k-3,49,maria@example.com,EMAIL',
        '',
        'k-1,1050,maria@example.com,EMAIL',
        'k-4,10,50,maria@example.com,EMAIL',
        'março,1050,maria@example.com,EMAIL',
        'k-5,1050,maria@example.com,PHONE',
        'k-6,1050,12345678900,CPF',
        'k-7,1050',
        'k-8,-5,nobody,EMAIL',
      ].join('\n'),
    );
    expect(file.lines).toEqual([maria]);
    expect(file.bad.map(({ line }) => line)).toEqual([3, 4, 6, 7, 8, 9, 10, 11, 12]);
    expect(file.bad.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('could mean R$ 10,50'),
      expect.stringContaining('below the minimum of R$ 0,50'),
      'the idempotency key is already used on line 2',
      '5 fields where the header has 4; an amount with a decimal comma must be in quotes: "10,50"',
      expect.stringContaining('printable ASCII'),
      'pix_key_type must be one of CPF, CNPJ, EMAIL, TELEFONE, CHAVE_ALEATORIA',
      expect.stringContaining('check digits'),
      '2 fields where the header has 4',
      expect.stringMatching(/negative.*e-mail/),
    ]);
  });

  it('reports a repeated key even if its line, or the first one with it, is bad for another reason', async () => {
    const file = await read(
      [
        header,
        'k-1,1,maria@example.com,EMAIL',
        'k-1,1050,maria@example.com,EMAIL',
        'k-1,2,maria@example.com,EMAIL',
      ].join('\n'),
    );
    expect(file.lines).toEqual([]);
    expect(file.bad.map(({ reason }) => reason)).toEqual([
      expect.not.stringContaining('already used'),
      'the idempotency key is already used on line 2',
      expect.stringMatching(/minimum.*; the idempotency key is already used on line 2$/),
    ]);
  });

  it.each([
    ['', 'the file is empty'],
    ['\n\n', 'the file is empty'],
    [`${header}\n`, 'there is a header but no line below it'],
    ['k-1,1050,maria@example.com,EMAIL\n', 'missing: idempotency_key, amount, pix_key, pix_key_type'],
    ['idempotency_key,amount,pix_key\nk-1,1050,maria@example.com\n', 'missing: pix_key_type'],
    [
      'Idempotency Key,Amount,pix key,pix-key-type\n',
      'the header must be idempotency_key,amount,pix_key,pix_key_type; "Idempotency Key" is probably idempotency_key, which is to be written so; "pix key" is probably pix_key, which is to be written so; "pix-key-type" is probably pix_key_type, which is to be written so',
    ],
    [
      'idempotency_key;amount;pixKey\n',
      '; "pixKey" is probably pix_key, which is to be written so; missing: pix_key_type',
    ],
    [`${header},pix key\n`, 'unknown: pix key'],
    [`${header},name\n`, 'unknown: name'],
    [`${header},amount\n`, 'twice'],
    [`${header},,name\n`, 'unknown: , name'],
    [`${header},\nk-1,1050,maria@example.com,EMAIL,x\n`, '5 fields where the header has 4'],
    [`${header}\nk-1,1050,maria@example.com,EMAIL,\n`, '5 fields where the header has 4'],
    [
      'idempotency_key,pix_key,pix_key_type,amount,\nk-1,maria@example.com,EMAIL,10,50\n',
      '5 fields where the header has 4',
    ],
    [','.repeat(200_000), 'more than 100000 characters: this is no table'],
    ['idempotency_key\tamount\tpix_key\tpix_key_type\n', 'separated by , or ;'],
    [`${header}\nk-1,"1050,maria@example.com,EMAIL\n`, 'a cell begins with " and no other " ends it; put'],
  ])('%j has a clear answer', async (text, reason) => {
    expect(await reasons(text)).toEqual([
      { line: expect.any(Number), reason: expect.stringContaining(reason) },
    ]);
  });

  it.each([
    ['sep=;\r\n', ';'],
    ['\ufeffsep=;\n', ';'],
    ['"sep=;";;;\n', ';'],
    ['SEP=,\n', ','],
  ])('that Excel begins with %j is read by it, and its lines are counted', async (sep, by) => {
    const rows = `${header}\nk-1,1050,maria@example.com,EMAIL\nk-2,5,x\n`;
    expect(await read(`${sep}${rows.replaceAll(',', by)}`)).toEqual({
      lines: [{ ...maria, line: 3 }],
      bad: [{ line: 4, reason: '3 fields where the header has 4' }],
    });
  });

  it('is read with the line breaks of an old Mac, also below sep=;', async () => {
    const rows = `${header}\nk-1,1050,maria@example.com,EMAIL\n`.replaceAll(',', ';');
    expect(await read(rows.replaceAll('\n', '\r'))).toEqual({ lines: [{ ...maria, line: 2 }], bad: [] });
    expect(await read(`sep=;\n${rows}`.replaceAll('\n', '\r'))).toEqual({
      lines: [{ ...maria, line: 3 }],
      bad: [],
    });
  });

  it.each([
    ['sep=;\n', 2, 'the file is empty'],
    [`sep=;\n${header}\n`, 2, 'separated by , or ;'],
    [`sep=,\n${header}\n`, 3, 'no line below it'],
    [`sep=,\n${header}\n"k-1,1050,maria@example.com,EMAIL\n`, 3, 'quotes'],
  ])('%j names the line as an editor counts it', async (text, line, reason) => {
    expect(await reasons(text)).toEqual([{ line, reason: expect.stringContaining(reason) }]);
  });

  it('names the line where a quote opens that is never closed, not the end of the file', async () => {
    const text = `${header}\nk-1,1050,maria@example.com,EMAIL\n\n,,,\nk-2,"1050,maria@example.com,EMAIL\nk-3,1,x,EMAIL\n`;
    expect(await reasons(text)).toEqual([{ line: 5, reason: expect.stringContaining('quotes') }]);
  });

  it.each([
    [
      'k-2,"10,50" reais,maria@example.com,EMAIL',
      'behind the " that ends a cell there is more than a separator',
    ],
    ['k-2,"10,50"0,maria@example.com,EMAIL', 'behind the " that ends a cell there is more than a separator'],
    ['"k\n2",1050,maria"x"@example.com,EMAIL', 'a cell has a " within it and does not begin with one'],
  ])('says of %j which rule of quotes it breaks, on its line, and what to write', async (row, rule) => {
    const lines = [header, 'k-1,1050,maria@example.com,EMAIL', '', row, 'k-3,1050,maria@example.com,EMAIL'];
    expect(await reasons(lines.join('\n'))).toEqual([
      {
        line: row.includes('\n') ? 5 : 4,
        reason: `${rule}; put the whole cell in quotes, and write "" for each quote that is part of it`,
      },
    ]);
  });

  it.each([
    ['UTF-16', Buffer.from(`\ufeff${header}\n`, 'utf16le'), 'UTF-16'],
    ['UTF-16 without its mark', Buffer.from(`${header}\n`, 'utf16le'), 'UTF-16, or not text'],
    ['what is no text', Buffer.from(`${header}\nk-1,1050,maria@example.com,\0`), 'UTF-16, or not text'],
    ['Latin-1', Buffer.from(`${header}\nkey-é`, 'latin1'), 'not UTF-8'],
  ])('in %s has a clear answer', async (_, bytes, reason) => {
    expect((await readBatchFile(bytes)).bad).toEqual([{ line: 1, reason: expect.stringContaining(reason) }]);
  });

  it('doubts a whole number among amounts with decimals: a spreadsheet writes 200,00 as 200', async () => {
    const file = (...amounts: string[]) =>
      read([header, ...amounts.map((amount, n) => `k-${n},"${amount}",maria@example.com,EMAIL`)].join('\n'));
    const mixed = await file('123,45', '200', '300');
    expect(mixed.lines.map(({ amount }) => amount)).toEqual([12_345, 200, 300]);
    expect(mixed.doubt).toEqual({
      line: 3,
      reason:
        'amount: 200 is cents, R$ 2,00, while line 2 has decimals (123,45). A spreadsheet may have left out ,00: for R$ 200,00 write 200,00.',
    });
    for (const alike of [
      ['200', '12345'],
      ['123,45', '1.050,00', 'R$ 10,50', '200.00'],
    ])
      expect(await file(...alike)).not.toHaveProperty('doubt');
  });

  it.each([
    ['1234567890', 'CPF'],
    ['1,2345E+10', 'CPF'],
    ['5,51199E+12', 'TELEFONE'],
    ['5.51199E+12', ''],
  ])('says what a spreadsheet does to a key like %s', async (key, type) => {
    const [fault] = await reasons(`${header.replaceAll(',', ';')}\nk-1;10,50;${key};${type}\n`);
    expect(fault?.reason).toContain('a spreadsheet drops leading zeros and shortens long numbers: make the');
  });

  it('does not blame a spreadsheet for a mistyped key', async () => {
    const [fault] = await reasons(`${header}\nk-1,1050,123456789012,CPF\nk-2,1050,123.456,CPF\n`);
    expect(fault?.reason).toBe('pix_key: a CPF has 11 digits; write 12345678909 or 123.456.789-09');
  });
});
