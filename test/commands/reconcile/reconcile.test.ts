import { describe, expect, it } from 'vitest';
import { compare } from '../../../src/commands/reconcile/compare.ts';
import { readOrders } from '../../../src/commands/reconcile/orders-file.ts';
import type { Charge } from '../../../src/contract/charge.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { hostileServer, json, someCharge, success } from '../../support/hostile-server.ts';
import { run } from '../../support/run.ts';

const orders = (text: string) => readOrders(new TextEncoder().encode(text));
const charge = (id: string, status: string, amount = 1000): Charge => ({
  ...someCharge,
  id,
  txid: `tx_${id}`,
  status,
  amount,
});

describe('an orders file', () => {
  it('is read with commas or semicolons, with a BOM, other columns and columns in any order', async () => {
    const wanted = [
      { line: 2, orderId: 'A', amount: 1050, chargeId: 'chg_1', txid: null },
      { line: 3, orderId: 'B', amount: 100, chargeId: null, txid: 'tx' },
    ];
    expect(await orders('order_id,amount,charge_id,txid\nA,"10,50",chg_1,\nB,100,,tx\n')).toEqual(wanted);
    expect(
      await orders('\ufeffnote;txid;charge_id;amount;ORDER_ID\r\nx;;chg_1;10,50;A\r\n;tx;;100;B\r\n'),
    ).toEqual(wanted);
    // Separators that a spreadsheet leaves at the end.
    expect(await orders('order_id,amount,charge_id\nA,1050,chg_1,,\n')).toEqual(wanted.slice(0, 1));
    // As Excel marks it, where the names alone would say otherwise.
    expect(await orders('sep=,\r\norder_id,amount,charge_id,"no;te;s;;"\r\nA,"10,50",chg_1,\r\n')).toEqual([
      { ...wanted[0], line: 3 },
    ]);
    // One of either within a name says nothing.
    expect(await orders('order_id,amount,charge_id,note; internal\nA,"10,50",chg_1,\n')).toEqual(
      wanted.slice(0, 1),
    );
    expect(await orders('order_id;amount;charge_id;note, internal\nA;10,50;chg_1;\n')).toEqual(
      wanted.slice(0, 1),
    );
    // Rows that are empty, or were emptied, above and below.
    const [first] = wanted;
    for (const empty of ['\r\n', ';;\r\n', ' \r\n'])
      expect(
        await orders(`${empty}order_id;amount;charge_id\r\n${empty}A;10,50;chg_1\r\n${empty}${empty}`),
      ).toEqual([{ ...first, line: 4 }]);
  });

  it.each([
    ['', 'the file is empty'],
    ['order_id,amount\nA,1', 'the header needs'],
    ['order_id,amount,charge_id\n', 'no order below'],
    ['sep=;\norder_id;amount;charge_id\n', 'line 3: there is a header but no order below'],
    ['sep=;\norder_id,amount,charge_id\nA,1,c', 'line 2: the header needs'],
    ['order_id,amount,amount,charge_id\nA,1,1,c', 'occurs twice'],
    ['order_id,amount,charge_id\nA,10.5,c', 'line 2: amount'],
    ['order_id,amount,charge_id\n,100,c', 'line 2: order_id is empty'],
    ['note,order_id,amount,charge_id\r\n"x\r\ny",A,100,c\r\nz,B,?,d\r\n', 'line 4: amount'],
    ['order_id,amount,charge_id\nA,100,c\nA,200,d', 'line 3: A has another amount than on line 2'],
    ['order_id,amount,charge_id\nA,"100,c\n', 'quotes'],
    ['charge_id,order_id,amount\nc,A,1050,00\n', 'line 2: 4 fields where the header has 3'],
  ])('%j is refused with the line', async (text, says) => {
    await expect(orders(text)).rejects.toMatchObject({
      kind: 'data',
      message: expect.stringContaining(says),
    });
  });
});

describe('orders against charges', () => {
  const charges = [
    charge('paid', 'PAID'),
    charge('again', 'PAID'),
    charge('less', 'PAID', 999),
    charge('open', 'PENDING'),
    charge('late', 'EXPIRED'),
    charge('back', 'REFUNDED'),
    charge('med', 'DISPUTED'),
    charge('new', 'FROZEN'),
    charge('shared', 'PAID'),
    { ...charge('bare', 'PAID'), txid: null },
  ];
  const found = {
    byId: new Map(charges.map((one) => [one.id, one])),
    byTxid: new Map(charges.map((one) => [one.txid ?? '', one])),
  };
  it.each([
    ['A,1000,paid,', ['OK']],
    ['A,1000,,tx_paid', ['OK']],
    ['A,1000,paid,tx_paid', ['OK']],
    ['A,1000,paid,tx_other', ['MISSING']],
    ['A,1000,bare,tx_bare', ['OK']],
    ['A,1000,gone,', ['MISSING']],
    ['A,1000,gone,tx_paid', ['MISSING']],
    ['A,1000,,', ['MISSING']],
    ['A,1000,less,', ['WRONG_AMOUNT']],
    ['A,1000,open,', ['UNPAID']],
    ['A,1000,open,\nA,1000,late,', ['UNPAID']],
    ['A,1000,late,\nA,1000,paid,', ['OK']],
    ['A,1000,paid,\nA,1000,again,', ['PAID_TWICE']],
    ['A,1000,paid,\nA,1000,paid,', ['OK']],
    ['A,1000,paid,\nA,1000,gone,', ['MISSING']],
    ['A,1000,paid,\nA,1000,again,tx_other', ['MISSING']],
    ['A,1000,less,\nA,1000,gone,', ['WRONG_AMOUNT']],
    ['A,1000,paid,\nA,1000,again,\nA,1000,gone,', ['PAID_TWICE']],
    ['A,1000,paid,\nA,1000,,', ['OK']],
    ['A,1000,back,', ['REFUNDED']],
    ['A,1000,back,\nA,1000,paid,', ['OK']],
    ['A,1000,med,', ['DISPUTED']],
    ['A,1000,new,', ['UNKNOWN_STATUS']],
    ['A,1000,paid,\nA,1000,new,', ['UNKNOWN_STATUS']],
    ['A,1000,shared,\nB,1000,shared,', ['SHARED', 'SHARED']],
  ])('%j: %j', async (lines, findings) => {
    const read = await orders(`order_id,amount,charge_id,txid\n${lines}`);
    expect([...compare(read, found)].map(({ finding }) => finding)).toEqual(findings);
  });
});

describe('pixctl reconcile', () => {
  it('shows what does not agree, ends with 83, and with 0 when all does', async () => {
    await using sandbox = await startSandbox();
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    const create = async () =>
      JSON.parse((await run(['charge', 'create', '--amount', '1000', '-o', 'json'], { env })).stdout)
        .id as string;
    const [paid, open, stranger] = [await create(), await create(), await create()];
    // Nobody has paid it, so nobody misses it.
    await create();
    sandbox.pay(paid);
    sandbox.pay(stranger);
    const reconcile = (input: string, ...flags: string[]) =>
      run(['reconcile', '--orders', '-', '-o', 'csv', ...flags], { env, input });
    const header = 'order_id;amount;charge_id\n';

    const good = await reconcile(`${header}A;1000;${paid}\n`);
    expect(good).toMatchObject({ code: 0, stderr: '1 order: 1 OK.\n' });
    const bad = await reconcile(`${header}A;1000;${paid}\nB;10,00;${open}\nC;1;none\n`, '--unclaimed');
    expect(bad.code).toBe(83);
    expect(bad.stdout.replaceAll('\r', '').trimEnd().split('\n').slice(1)).toEqual([
      `B,UNPAID,1000,0,${open},PENDING`,
      'C,MISSING,1,0,,',
      `,UNCLAIMED,,1000,${stranger},PAID`,
    ]);
    expect(bad.stderr).toContain('3 orders: 1 OK, 1 MISSING, 1 UNPAID, 1 UNCLAIMED.');
    expect(bad.stderr).toContain('2 of 3 orders do not agree, and 1 paid charge has no order.');
    const only = await reconcile(`${header}A;1000;${paid}\n`, '--unclaimed');
    expect(only.code).toBe(83);
    expect(only.stderr).toBe('1 order: 1 OK, 1 UNCLAIMED.\nerror: 1 paid charge has no order.\n');
    expect((await reconcile('nonsense')).code).toBe(65);
    expect((await reconcile(`${header}A;1000;${paid}\n`, '--since', '1d')).code).toBe(64);
  });

  it('counts each finding', async () => {
    const listed = [
      charge('paid', 'PAID'),
      charge('twice', 'PAID'),
      charge('again', 'PAID'),
      charge('less', 'PAID', 999),
      charge('open', 'PENDING'),
      charge('back', 'REFUNDED'),
      charge('med', 'DISPUTED'),
      charge('new', 'FROZEN'),
      charge('shared', 'PAID'),
      charge('stranger', 'PAID'),
    ];
    await using server = await hostileServer((response) => {
      json(response, 200, { ...success(listed), pagination: { hasMore: false, next: null, before: null } });
    });
    const orders = [
      'A,paid,',
      'B,,tx_none',
      'C,open,',
      'D,twice,',
      'D,,tx_again',
      'E,less,',
      'F,back,',
      'G,med,',
    ];
    const others = ['H,shared,', 'I,shared,', 'J,new,'];
    const told = await run(['reconcile', '--orders', '-', '--unclaimed', '-o', 'csv'], {
      env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' },
      input: `order_id,charge_id,txid,amount\n${[...orders, ...others].map((line) => `${line},1000`).join('\n')}\n`,
    });
    expect(told.code).toBe(83);
    expect(told.stderr).toContain(
      '10 orders: 1 OK, 1 MISSING, 1 UNPAID, 1 PAID_TWICE, 1 WRONG_AMOUNT, 1 REFUNDED, 1 DISPUTED, 2 SHARED, 1 UNKNOWN_STATUS, 1 UNCLAIMED.',
    );
  });

  it('names a paid charge without an order once, though new ones push it onto the next page', async () => {
    await using server = await hostileServer((response, { path }) => {
      const isFirst = !path.includes('after=');
      const ids = isFirst ? ['named', 'pushed'] : ['pushed', 'last'];
      const pagination = { hasMore: isFirst, next: isFirst ? 'second' : null, before: null };
      json(response, 200, { ...success(ids.map((id) => charge(id, 'PAID'))), pagination });
    });
    const told = await run(['reconcile', '--orders', '-', '--unclaimed', '-o', 'json'], {
      env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' },
      input: 'order_id,amount,charge_id\nA,1000,named\n',
    });
    expect(told.code).toBe(83);
    expect(JSON.parse(told.stdout).map((one: { chargeIds: string[] }) => one.chargeIds)).toEqual([
      ['pushed'],
      ['last'],
    ]);
    expect(told.stderr).toContain('1 order: 1 OK, 2 UNCLAIMED.');
  });
});
