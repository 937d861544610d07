import { parse } from 'csv-parse/sync';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { OutputOptions } from '../../src/terminal/output.ts';
import { createOutput } from '../../src/terminal/render-output.ts';
import type { View } from '../../src/terminal/view.ts';
import { hostileTexts, rawIn } from '../support/hostile-text.ts';
import { type MemoryIoOptions, memoryIo } from '../support/memory-io.ts';

interface Sale {
  id: string;
  amount: number;
  status: string;
  at: string;
  note?: string | null;
  unknown?: unknown;
}

const view: View<Sale> = {
  name: 'sale',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'amount', header: 'Amount', kind: 'cents', value: ({ amount }) => amount },
    { key: 'status', header: 'Status', kind: 'status', value: ({ status }) => status },
    { key: 'at', header: 'At', kind: 'time', value: ({ at }) => at },
    { key: 'note', header: 'Note', detail: true, value: ({ note }) => note },
  ],
};

const sale: Sale = {
  id: 's1',
  amount: 123456,
  status: 'PAID',
  at: '2026-01-02T03:04:05.000Z',
  note: 'x',
  unknown: { a: [1] },
};
const second: Sale = { ...sale, id: 's2', amount: -50, status: 'FAILED', note: null };

function outputOf(options: Partial<OutputOptions>, io: MemoryIoOptions = {}) {
  const memory = memoryIo(io);
  const all = {
    format: 'table',
    fields: null,
    quiet: false,
    csvLocale: 'machine',
    timeZone: 'America/Sao_Paulo',
  } as const;
  return { io: memory, output: createOutput(memory, { ...all, ...options }, systemClock) };
}

describe('a table on a terminal', () => {
  it.each([null, 'Mars/Olympus', ''])(
    "has the machine's own times where the zone is %j",
    async (timeZone) => {
      vi.stubEnv('TZ', 'Asia/Kathmandu');
      try {
        const { io, output } = outputOf({ timeZone }, { terminal: true, errorTerminal: true });
        output.note('It expired at 2026-01-02T03:04:05Z.');
        expect(io.err).toContain('It expired at 2026-01-02 08:49:05 +05:45.');
        await output.each(view, [sale, { ...sale, at: '0999-12-31T23:00:00Z' }]);
        expect(io.out).toContain('│ 2026-01-02 08:49:05 │');
        expect(io.out).toContain('│ 1000-01-01 04:41:16 │');
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );

  it('is bordered, with amounts and times for people, and without details', async () => {
    const { io, output } = outputOf({}, { terminal: true });
    expect(await output.each(view, [sale, second])).toBe(2);
    expect(io.out).toBe(`┌────┬─────────────┬────────┬─────────────────────┐
│ ID │      Amount │ Status │ At                  │
├────┼─────────────┼────────┼─────────────────────┤
│ s1 │ R$ 1.234,56 │ PAID   │ 2026-01-02 00:04:05 │
│ s2 │    -R$ 0,50 │ FAILED │ 2026-01-02 00:04:05 │
└────┴─────────────┴────────┴─────────────────────┘
`);
  });

  it('shows one item as lines, details included', async () => {
    const { io, output } = outputOf({}, { terminal: true });
    await output.show(view, sale);
    expect(io.out).toBe(`ID      s1
Amount  R$ 1.234,56
Status  PAID
At      2026-01-02 00:04:05
Note    x
`);
  });

  it('colours a status only where colour is wanted', async () => {
    const { io, output } = outputOf({ fields: ['status'] }, { terminal: true, colour: true });
    await output.each(view, [sale]);
    expect(io.out).toContain('\x1b[32mPAID\x1b[39m');
  });

  it.each(['FROZEN', 'constructor', ''])('leaves the unknown status %j as it is', async (status) => {
    const { io, output } = outputOf({ fields: ['status'] }, { terminal: true, colour: true });
    await output.each(view, [{ ...sale, status }]);
    // Whether the edges are coloured depends on the environment of this process.
    const row = io.out.split('\n')[3]?.replaceAll('\x1b[90m│\x1b[39m', '│');
    const cell = row?.split('│')[1];
    expect(cell).toBe(` ${status.padEnd(6)} `);
  });

  it('fits a terminal of just its width', async () => {
    const { io, output } = outputOf({}, { terminal: true, columns: 51 });
    await output.each(view, [sale]);
    expect(io.out.split('\n')[3]).toBe(
      '\u2502 s1 \u2502 R$ 1.234,56 \u2502 PAID   \u2502 2026-01-02 00:04:05 \u2502',
    );
  });

  it('leaves out of one item what it does not have, unless it was asked for', async () => {
    const { io, output } = outputOf({}, { terminal: true });
    await output.show(view, second);
    expect(io.out).not.toContain('Note');
    const named = outputOf({ fields: ['id', 'note'] }, { terminal: true });
    await named.output.show(view, second);
    expect(named.io.out).toBe('ID    s2\nNote  \n');
  });

  it('breaks between words before it cuts an id, which could not be copied', async () => {
    const id = 'chg_gd35lcqviwjly5u74j4uewsp';
    const { io, output } = outputOf({}, { terminal: true, columns: 70 });
    await output.each(view, [{ ...sale, id }]);
    expect(io.out).toBe(`┌──────────────────────────────┬─────────────┬────────┬──────────────┐
│ ID                           │      Amount │ Status │ At           │
├──────────────────────────────┼─────────────┼────────┼──────────────┤
│ ${id} │ R$ 1.234,56 │ PAID   │ 2026-01-02   │
│                              │             │        │ 00:04:05     │
└──────────────────────────────┴─────────────┴────────┴──────────────┘
`);
  });

  it('cuts an id before an amount, which would read as another one', async () => {
    const { io, output } = outputOf({}, { terminal: true, columns: 66, colour: false });
    await output.each(view, [{ ...sale, id: 'chg_gd35lcqviwjly5u74j4uewsp', amount: 100_000_000 }]);
    expect(io.out).toBe(`┌──────────────────────┬─────────────────┬────────┬──────────────┐
│ ID                   │          Amount │ Status │ At           │
├──────────────────────┼─────────────────┼────────┼──────────────┤
│ chg_gd35lcqviwjly5u7 │ R$ 1.000.000,00 │ PAID   │ 2026-01-02   │
│ 4j4uewsp             │                 │        │ 00:04:05     │
└──────────────────────┴─────────────────┴────────┴──────────────┘
`);
  });

  it('cuts no id, but has a block a record: what it is there for is to be copied', async () => {
    const of: View<Sale> = {
      name: 'sale',
      columns: view.columns.map((column) =>
        column.key === 'id' ? { ...column, kind: 'id' as const } : column,
      ),
    };
    const { io, output } = outputOf({}, { terminal: true, columns: 66 });
    await output.each(of, [{ ...sale, id: 'chg_gd35lcqviwjly5u74j4uewsp', amount: 100_000_000 }]);
    expect(io.out).toBe(`ID      chg_gd35lcqviwjly5u74j4uewsp
Amount  R$ 1.000.000,00
Status  PAID
At      2026-01-02 00:04:05
`);
  });

  it('has borders of ASCII where the terminal may draw no others', async () => {
    const { io, output } = outputOf({ ascii: 'borders' }, { terminal: true });
    await output.each(view, [sale]);
    expect(io.out).toBe(`+----+-------------+--------+---------------------+
| ID |      Amount | Status | At                  |
+----+-------------+--------+---------------------+
| s1 | R$ 1.234,56 | PAID   | 2026-01-02 00:04:05 |
+----+-------------+--------+---------------------+
`);
  });

  it('keeps its borders where accents are written in ASCII, which takes more columns', async () => {
    const { io, output } = outputOf({ ascii: 'all' }, { terminal: true });
    await output.each(view, [{ ...sale, status: 'Jo\u00e3o' }, sale]);
    expect(io.out).toBe(`+----+-------------+-----------+---------------------+
| ID |      Amount | Status    | At                  |
+----+-------------+-----------+---------------------+
| s1 | R$ 1.234,56 | Jo\\u00e3o | 2026-01-02 00:04:05 |
| s1 | R$ 1.234,56 | PAID      | 2026-01-02 00:04:05 |
+----+-------------+-----------+---------------------+
`);
  });

  it('begins a new table, further down a long list, for an amount that the first one would cut', async () => {
    const { io, output } = outputOf({}, { terminal: true, colour: false });
    const items = Array.from({ length: 101 }, (_, at) => ({
      ...sale,
      amount: at < 100 ? 1050 : 100_000_000,
    }));
    await output.each(view, items);
    expect(io.out).toMatch(/│ +R\$ 10,50 │/);
    expect(io.out).toMatch(/│ R\$ 1\.000\.000,00 │/);
    expect(io.out.match(/┌/g)).toHaveLength(2);
    expect(io.out.match(/└/g)).toHaveLength(2);
  });

  it('becomes a block a record where the terminal is narrow', async () => {
    const { io, output } = outputOf({}, { terminal: true, columns: 30 });
    await output.each(view, [sale, second]);
    expect(io.out).toBe(`ID      s1
Amount  R$ 1.234,56
Status  PAID
At      2026-01-02 00:04:05

ID      s2
Amount  -R$ 0,50
Status  FAILED
At      2026-01-02 00:04:05
`);
  });

  describe('that is too wide', () => {
    const id = 'chg_gd35lcqviwjly5u74j4uewsp';
    const wide: View<Sale> = {
      name: 'sale',
      columns: [
        ...view.columns.slice(0, 4),
        { key: 'fee', header: 'Fee', kind: 'cents', dropPriority: 2, value: ({ unknown }) => unknown },
        { key: 'note', header: 'Note', dropPriority: 1, value: ({ note }) => note },
      ],
    };
    const item: Sale = { ...sale, id, unknown: 100, note: 'a word or two' };
    const drawn = async (
      columns: number,
      items: readonly Sale[],
      { options = {}, of = wide }: { options?: Partial<OutputOptions>; of?: View<Sale> } = {},
    ) => {
      const { io, output } = outputOf(options, { terminal: true, columns, colour: false });
      await output.each(of, items);
      const heads = io.out.split('\n').filter((_line, at, all) => all[at - 1]?.startsWith('┌'));
      return { out: io.out, err: io.err, heads: heads.map((head) => head.match(/\w+/g)?.join(' ')) };
    };

    it('leaves out what is empty in every row, without a word', async () => {
      const bare = { ...item, unknown: undefined, note: null };
      expect(await drawn(100, [bare, bare])).toMatchObject({ heads: ['ID Amount Status At Fee Note'] });
      expect(await drawn(80, [bare, bare])).toMatchObject({ heads: ['ID Amount Status At'], err: '' });
      expect((await drawn(80, [bare, item])).err).toContain('Too narrow here for: Fee, Note.');
    });

    it('breaks between words, then does without the sparest columns, and says which', async () => {
      const told = ' --fields chooses columns, -o json has all.\n';
      expect(await drawn(103, [item])).toMatchObject({ heads: ['ID Amount Status At Fee Note'], err: '' });
      expect((await drawn(96, [item])).out).toContain('│ 2026-01-02   │');
      expect(await drawn(96, [item])).toMatchObject({ heads: ['ID Amount Status At Fee Note'], err: '' });
      expect(await drawn(86, [item])).toMatchObject({
        heads: ['ID Amount Status At Note'],
        err: `Too narrow here for: Fee.${told}`,
      });
      expect(await drawn(77, [item])).toMatchObject({
        heads: ['ID Amount Status At'],
        err: `Too narrow here for: Fee, Note.${told}`,
      });
      expect((await drawn(77, [item])).out).toContain(`│ ${id} │`);
      expect(await drawn(77, [item], { options: { quiet: true } })).toMatchObject({ err: '' });
    });

    it('cuts, or becomes blocks, of all that it has where even that does not fit', async () => {
      const { out, err } = await drawn(40, [item]);
      expect(out).toContain('\nFee     R$ 1,00\nNote    a word or two\n');
      expect(err).toBe('');
    });

    it('leaves out of a block what is empty in it, unless --fields names it', async () => {
      const bare = { ...item, note: '' };
      expect((await drawn(40, [bare, item])).out).toContain('\nFee     R$ 1,00\n\nID ');
      const options = { fields: ['id', 'fee', 'note', 'at'] };
      expect((await drawn(40, [bare], { options })).out).toContain('\nNote  \nAt    ');
    });

    it('keeps what --fields names, empty or not', async () => {
      const options = { fields: ['id', 'fee', 'note', 'at'] };
      expect(await drawn(70, [{ ...item, unknown: undefined }], { options })).toMatchObject({
        heads: ['ID Fee Note At'],
        err: '',
      });
    });

    it('begins a new table, further down a long list, with a column that had been empty', async () => {
      const items = Array.from({ length: 101 }, (_, at) => ({
        ...item,
        unknown: undefined,
        note: at < 100 ? null : 'late',
      }));
      expect(await drawn(78, items)).toMatchObject({
        heads: ['ID Amount Status At', 'ID Amount Status At Note'],
        err: '',
      });
    });

    it('keeps a word whole that fits a line, however short the one before it', async () => {
      const ana = { ...item, note: `Ana (${id})` };
      const { out } = await drawn(65, [ana], { options: { fields: ['id', 'note'] } });
      expect(out).toContain('│ Ana ');
      expect(out).toContain(`│ (${id}) │`);
    });

    it('shows a cell of more words than a call has arguments', async () => {
      const { out } = await drawn(65, [{ ...item, note: 'ab '.repeat(200_000) }], {
        options: { fields: ['note'] },
      });
      expect(out.match(/ab/g)).toHaveLength(200_000);
    });
  });

  it('shows a value of several lines below each other, for one item, and as one elsewhere', async () => {
    const steps = [sale.at, '2026-01-02T04:00:00.000Z'];
    const stepped: View<Sale> = {
      name: 'sale',
      columns: [
        ...view.columns.slice(0, 1),
        {
          key: 'steps',
          header: 'Steps',
          value: () => steps.join('; '),
          lines: (_, timeOf) => steps.map((at, n) => `${timeOf(at)}  step\x1b ${n}`),
        },
      ],
    };
    const { io, output } = outputOf({}, { terminal: true });
    await output.show(stepped, sale);
    expect(io.out).toBe(`ID     s1
Steps  2026-01-02 00:04:05  step\\x1b 0
       2026-01-02 01:00:00  step\\x1b 1
`);
    const list = outputOf({}, { terminal: true });
    await list.output.each(stepped, [sale]);
    expect(list.io.out).toContain(`│ ${steps.join('; ')} │`);
    const piped = outputOf({});
    await piped.output.show(stepped, sale);
    expect(piped.io.out).toContain(`Steps\t${steps.join('; ')}\n`);
  });

  it('names a mark that has no header in a table', async () => {
    const marked = {
      name: 'sale',
      columns: [{ ...view.columns[0], key: 'current', header: '' }],
    } as View<Sale>;
    const { io, output } = outputOf({}, { terminal: true });
    await output.show(marked, sale);
    expect(io.out).toBe('Current  s1\n');
  });

  it('wraps wide characters by what they take on the screen', async () => {
    const { io, output } = outputOf(
      { fields: ['id', 'note'] },
      { terminal: true, columns: 26, colour: false },
    );
    await output.each(view, [{ ...sale, note: '日本語日本語日本語日本語' }]);
    expect(io.out).toBe(`┌────┬───────────────────┐
│ ID │ Note              │
├────┼───────────────────┤
│ s1 │ 日本語日本語日本  │
│    │ 語日本語          │
└────┴───────────────────┘
`);
  });

  it('draws a long list in pieces, with one head and one foot, never holding more than a hundred', async () => {
    const { io, output } = outputOf({}, { terminal: true });
    let given = 0;
    let most = 0;
    const items = (function* () {
      for (; given < 1050; given++) {
        most = Math.max(most, given - rowsIn(io.out));
        yield { ...sale, id: `s${given}` };
      }
    })();
    expect(await output.each(view, items)).toBe(1050);
    expect(most).toBeLessThanOrEqual(100);
    expect(io.out.match(/┌/g)).toHaveLength(1);
    expect(io.out.match(/│ ID/g)).toHaveLength(1);
    expect(io.out.match(/└/g)).toHaveLength(1);
    expect(rowsIn(io.out)).toBe(1050);
  });

  it('says that there is nothing', async () => {
    const { io, output } = outputOf({}, { terminal: true });
    await output.each(view, []);
    expect(io.out).toBe('No sales.\n');
    const { io: other, output: deliveries } = outputOf({}, { terminal: true });
    await deliveries.each({ ...view, name: 'delivery' }, []);
    expect(other.out).toBe('No deliveries.\n');
  });
});

const rowsIn = (text: string): number => text.match(/PAID/g)?.length ?? 0;

describe('a table in a pipe', () => {
  it('is a head and tab-separated machine values', async () => {
    const { io, output } = outputOf({});
    await output.each(view, [sale, second]);
    expect(io.out).toBe(
      'ID\tAmount\tStatus\tAt\ns1\t123456\tPAID\t2026-01-02T03:04:05.000Z\ns2\t-50\tFAILED\t2026-01-02T03:04:05.000Z\n',
    );
  });

  it('names a column after its key where it has no head', async () => {
    const { io, output } = outputOf({ fields: ['id', 'status'] });
    const columns = view.columns.map((column) => (column.key === 'id' ? { ...column, header: '' } : column));
    await output.each({ ...view, columns }, [sale]);
    expect(io.out).toBe('Id\tStatus\ns1\tPAID\n');
  });

  it('keeps a cell a field and a row a line', async () => {
    const { io, output } = outputOf({ fields: ['id', 'note'] });
    await output.each(view, [{ ...sale, note: 'a\tb\nc' }]);
    expect(io.out).toBe('ID\tNote\ns1\ta\\tb\\nc\n');
  });

  it('has an empty cell for what is null, and for what the service left out', async () => {
    const { io, output } = outputOf({ fields: ['id', 'note'] });
    const { note: _, ...without } = sale;
    await output.each(view, [second, without]);
    expect(io.out).toBe('ID\tNote\ns2\t\ns1\t\n');
  });
});

describe('json', () => {
  it('is the item as it came, unknown fields included', async () => {
    const { io, output } = outputOf({ format: 'json' });
    await output.show(view, sale);
    expect(JSON.parse(io.out)).toEqual(sale);
    expect(io.out.match(/\n/g)).toHaveLength(1);
  });

  it.each([[[]], [[sale]], [[sale, second]]])('is one array for a list (%#)', async (items) => {
    for (const terminal of [false, true]) {
      const { io, output } = outputOf({ format: 'json' }, { terminal });
      await output.each(view, items);
      expect(JSON.parse(io.out)).toEqual(items);
    }
  });

  it('with --fields has what is made of an item', async () => {
    const doubled = { key: 'twice', header: 'Twice', value: ({ amount }: Sale) => amount * 2 };
    const { io, output } = outputOf({ format: 'ndjson', fields: ['id', 'twice'] });
    await output.show({ ...view, columns: [...view.columns, doubled] }, sale);
    expect(io.out).toBe('{"id":"s1","twice":246912}\n');
  });

  it('with --fields has each of them, null where there is nothing', async () => {
    const { note: _note, ...bare } = sale;
    const { io, output } = outputOf({ format: 'ndjson', fields: ['id', 'note'] });
    await output.show(view, bare);
    expect(io.out).toBe('{"id":"s1","note":null}\n');
  });

  it('with --fields keeps the values as they came', async () => {
    const { io, output } = outputOf({ format: 'ndjson', fields: ['note', 'amount'] });
    await output.each(view, [sale, second]);
    expect(io.out).toBe('{"note":"x","amount":123456}\n{"note":null,"amount":-50}\n');
  });

  it('is one array, however many items come together', async () => {
    const sales = ['a', 'b', 'c', 'd'].map((id) => ({ ...sale, id }));
    const { io, output } = outputOf({ format: 'json' });
    await output.each(view, sales);
    expect(JSON.parse(io.out)).toEqual(sales);
  });

  it('does not close the array when the list fails in the middle', async () => {
    const { io, output } = outputOf({ format: 'json' });
    const failing = (async function* () {
      yield sale;
      throw new Error('lost');
    })();
    await expect(output.each(view, failing)).rejects.toThrow('lost');
    expect(() => JSON.parse(io.out)).toThrow();
  });
});

describe('ndjson', () => {
  it('writes an item before it asks for the next', async () => {
    const { io, output } = outputOf({ format: 'ndjson' });
    const seen: string[] = [];
    const items = (async function* () {
      yield sale;
      seen.push(io.out);
      yield second;
    })();
    await output.each(view, items);
    expect(seen).toEqual([`${JSON.stringify(sale)}\n`]);
  });
});

describe('csv', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+5', "'+5"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['a,b', 'a,b'],
    ['a"b', 'a"b'],
    ['a\nb', 'a\nb'],
    ['a\rb', 'a\\rb'],
    ['\ttab', "'\ttab"],
  ])('%j can be read back as %j, and is no formula', async (note, expected) => {
    const { io, output } = outputOf({ format: 'csv', fields: ['id', 'note'] });
    await output.each(view, [{ ...sale, note }]);
    expect(parse(io.out)).toEqual([
      ['id', 'note'],
      ['s1', expected],
    ]);
  });

  it('is cents, signs and ISO times for machines', async () => {
    const { io, output } = outputOf({ format: 'csv' });
    await output.each(view, [second]);
    expect(io.out).toBe('id,amount,status,at,note\ns2,-50,FAILED,2026-01-02T03:04:05.000Z,\n');
  });

  it('is semicolons, decimal commas and São Paulo times for pt-BR, marked as UTF-8', async () => {
    const { io, output } = outputOf({ format: 'csv', csvLocale: 'pt-BR', timeZone: 'UTC' });
    await output.each(view, [sale, second]);
    expect(io.out).toBe(
      '\ufeffid;amount;status;at;note\ns1;1234,56;PAID;02/01/2026 00:04:05;x\ns2;-0,50;FAILED;02/01/2026 00:04:05;\n',
    );
  });

  it('has its head also when there is nothing', async () => {
    const { io, output } = outputOf({ format: 'csv' });
    await output.each(view, []);
    expect(io.out).toBe('id,amount,status,at,note\n');
  });
});

describe('hostile text', () => {
  const formats = ['table', 'json', 'ndjson', 'csv'] as const;
  const cases = hostileTexts.flatMap(([title, text]) =>
    formats.map((format) => [title, format, text] as const),
  );
  it.each(cases)('%s leaves nothing raw in %s', async (_title, format, text) => {
    const hostile: Sale = {
      ...sale,
      id: text,
      status: text,
      at: text,
      note: text,
      unknown: { [text]: text },
    };
    for (const terminal of [true, false]) {
      for (const columns of [20, 80]) {
        const { io, output } = outputOf({ format }, { terminal, columns, colour: terminal });
        await output.each(view, [hostile, hostile]);
        await output.show(view, hostile);
        await output.text(text);
        output.note(text);
        output.warn(text);
        expect(rawIn(io.out)).toEqual([]);
        expect(rawIn(io.err)).toEqual([]);
      }
    }
  });
});

describe('--fields', () => {
  it('refuses what is not a field before the list is read, and says what was meant', async () => {
    const { output } = outputOf({ fields: ['id', 'stauts'] });
    let read = false;
    const items = (function* () {
      read = true;
      yield sale;
    })();
    await expect(output.each(view, items)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('did you mean "status"?'),
      hint: 'Fields: id, amount, status, at, note.',
    });
    expect(read).toBe(false);
    expect(() => output.check(view)).toThrow('"stauts" is not a field here');
  });

  it('never turns the answer to a sent request into a refusal: all is shown, with a warning', async () => {
    const { io, output } = outputOf({ format: 'json', fields: ['stauts'] });
    await output.show(view, sale);
    expect(JSON.parse(io.out)).toEqual(sale);
    expect(io.err).toContain('"stauts" is not a field here');
  });
});

describe('a single item on a narrow terminal', () => {
  it('has its prose between words; what is copied stays whole, with its blanks', async () => {
    const { io, output } = outputOf({}, { terminal: true, columns: 30 });
    const prose: View<Sale> = {
      name: 'sale',
      columns: [
        { key: 'note', header: 'Code', value: ({ note }) => note },
        { key: 'status', header: 'Why', kind: 'text', value: ({ note }) => note },
      ],
    };
    await output.show(prose, { ...sale, note: '0002 Loja Sandbox of Sao Paulo' });
    expect(io.out).toBe(
      'Code  0002 Loja Sandbox of Sao Paulo\nWhy   0002 Loja Sandbox of Sao\n      Paulo\n',
    );
  });
});

describe('what is said on stderr', () => {
  it('keeps notes back with --quiet, and warnings never', () => {
    const { io, output } = outputOf({ quiet: true });
    output.note('a hint');
    output.warn('a danger');
    expect(io.err).toBe('warning: a danger\n');
  });

  it('is broken between words on a terminal alone', async () => {
    const said = async (io: MemoryIoOptions) => {
      const { io: memory, output } = outputOf({}, io);
      output.note('Stopped at 20; --all shows every one that matches.');
      output.warn('The list has no pagination: these may not be all.');
      await output.done(view, sale, 'Removed the destination "my mother\u202e and father" for good.');
      return memory.err.split('\n');
    };
    expect(await said({ errorTerminal: true, columns: 40 })).toEqual([
      'Stopped at 20; --all shows every one',
      'that matches.',
      'warning: The list has no pagination:',
      '         these may not be all.',
      'Removed the destination',
      '"my mother\\u{202e} and father" for good.',
      '',
    ]);
    expect(await said({ errorTerminal: false, columns: 40 })).toHaveLength(4);
  });

  it.each(['scan me', 'scan me\n'])('ends the text %j with one line break', async (text) => {
    const { io, output } = outputOf({});
    await output.text(text);
    expect(io.out).toBe('scan me\n');
  });

  it('writes text for people only in a table', async () => {
    const { io, output } = outputOf({ format: 'csv' });
    await output.text('scan me');
    expect(io.out).toBe('');
  });
});

describe('a reader that goes away', () => {
  it.each(['ndjson', 'csv', 'table'] as const)('ends %s at once and quietly', async (format) => {
    const { output } = outputOf({ format }, { closeAfter: 3 });
    let given = 0;
    const endless = (function* () {
      for (;;) yield { ...sale, id: String(given++) };
    })();
    // Three writes: the first item, and two lots of what came at once.
    expect(await output.each(view, endless)).toBe(1 + 256 + 256);
  });
});

describe('a column of our own words', () => {
  interface Finding {
    what: string;
    remedy: string | null;
  }
  const findings: View<Finding> = {
    name: 'finding',
    columns: [
      { key: 'what', header: 'What', value: ({ what }) => what },
      { key: 'remedy', header: 'Remedy', namesCommands: true, value: ({ remedy }) => remedy },
    ],
  };
  const reword = (words: string) => words.replace('pixctl ', 'pixctl --profile other ');
  const finding = { what: 'pixctl x', remedy: 'run pixctl x' };

  it.each([
    ['table', {}, 'What\tRemedy\npixctl x\trun pixctl --profile other x\nnone\t\n'],
    ['csv', {}, 'what,remedy\npixctl x,run pixctl --profile other x\nnone,\n'],
    [
      'json',
      {},
      '[\n{"what":"pixctl x","remedy":"run pixctl --profile other x"},\n{"what":"none","remedy":null}\n]\n',
    ],
    ['ndjson', { fields: ['remedy'] }, '{"remedy":"run pixctl --profile other x"}\n{"remedy":null}\n'],
  ] as const)('names commands as stderr does, as %s; data stays as it is', async (format, more, expected) => {
    const { io, output } = outputOf({ format, reword, ...more });
    await output.each(findings, [finding, { what: 'none', remedy: null }]);
    expect(io.out).toBe(expected);
  });

  it('does so on a terminal and of one item too', async () => {
    const { io, output } = outputOf({ reword }, { terminal: true });
    await output.show(findings, finding);
    expect(io.out).toContain('run pixctl --profile other x');
  });
});

describe('a list that fails in the middle', () => {
  async function* failing(): AsyncGenerator<Sale> {
    yield sale;
    yield second;
    throw new Error('the third page');
  }

  it.each([
    ['table', true],
    ['table', false],
    ['ndjson', false],
    ['csv', false],
    ['json', false],
  ] as const)('has shown all that came before: %s, on a terminal: %s', async (format, terminal) => {
    const { io, output } = outputOf({ format }, { terminal });
    await expect(output.each(view, failing())).rejects.toThrow('the third page');
    expect(io.out).toMatch(/s1[\s\S]*s2/);
  });
});

it('tells what was done before it shows it', async () => {
  const told: string[] = [];
  const { io, output } = outputOf({
    format: 'json',
    onDone: (sentence) => told.push(`${io.out}${sentence}`),
  });
  await output.done(view, sale, 'Sold.');
  expect(told).toEqual(['Sold.']);
});
