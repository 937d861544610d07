import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { eventNames } from '../../../../src/contract/event-names.ts';
import { verify } from '../../../../src/contract/signature.ts';
import { listenOnLoopback } from '../../../support/listen-on-loopback.ts';
import { noSignals } from '../../../support/platform.ts';
import { alwaysAnswering, type Receiver, startReceiver } from '../../../support/receiver.ts';
import { run, start } from '../../../support/run.ts';

const secret = 'whsec_test_0123456789abcdef';
const env = { PIXCTL_WEBHOOK_SECRET: secret };
let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

const trigger = async (
  args: string[],
  answer: () => number = () => 200,
  options: { input?: string } = {},
) => {
  receiver = await alwaysAnswering(answer);
  const finished = await run(['webhook', 'trigger', ...args, '-f', receiver.url, '-o', 'ndjson'], {
    env,
    ...options,
  });
  const rows = finished.stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return {
    ...finished,
    rows,
    bodies: receiver.received.map(({ body }) => JSON.parse(body)),
    got: receiver.received,
  };
};

const latin1 = join(mkdtempSync(join(tmpdir(), 'pixctl-latin1-')), 'data.json');
writeFileSync(latin1, Buffer.from('{"description":"Caf\xe9"}', 'latin1'));

describe('webhook trigger', () => {
  it.each(eventNames)('sends a genuine %s with data of the contract', async (name) => {
    const { code, stderr, rows, bodies, got } = await trigger([name]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(rows).toEqual([
      { id: bodies[0].id, event: name, url: receiver?.url, status: 200, ms: expect.any(Number), error: null },
    ]);
    const [first] = got;
    expect(first?.headersDistinct['content-type']).toEqual(['application/json']);
    expect(
      verify({
        secret,
        body: first?.body ?? '',
        header: first?.headersDistinct['service-signature'],
        now: Date.now(),
        toleranceMs: 60_000,
      }),
    ).toMatchObject({ ok: true });
    expect(bodies[0].event).toBe(name);
  });

  it('shows the name that was sent, even if it was changed', async () => {
    const { rows, bodies } = await trigger(['CHARGE_PAID', '--set', 'event=SOMETHING_NEW']);
    expect([rows[0].event, bodies[0].event]).toEqual(['SOMETHING_NEW', 'SOMETHING_NEW']);
  });

  it.each(['Service Signature', 'Service-Signature:', '', 'Host', 'content-length', 'Connection'])(
    'sends nothing unsigned for want of a header that could be called "%s"',
    async (name) => {
      const { code, stderr, got } = await trigger(['CHARGE_PAID', '--signature-header', name]);
      expect({ code, got }).toEqual({ code: 64, got: [] });
      expect(stderr).toContain('Nothing was sent.');
    },
  );

  it.each([301, 302, 303, 307, 308])('says of a %i that it is not followed', async (status) => {
    const { code, stderr, got } = await trigger(['CHARGE_PAID'], () => status);
    expect([code, got.length]).toEqual([83, 1]);
    expect(stderr).toContain('A redirect is not followed: give the address that it leads to.');
  });

  it.each([300, 304])('says nothing of a redirect where a %i leads nowhere', async (status) => {
    const { code, stderr, got } = await trigger(['CHARGE_PAID'], () => status);
    expect([code, got.length]).toEqual([83, 1]);
    expect(stderr).not.toContain('redirect');
  });

  it('changes fields', async () => {
    const { bodies } = await trigger([
      'CHARGE_PAID',
      '--set',
      'data.amount=5000',
      '--set',
      'data.customer.name=Ana',
      '--set',
      'id=evt_mine',
    ]);
    expect(bodies[0]).toMatchObject({ id: 'evt_mine', data: { amount: 5000, customer: { name: 'Ana' } } });
  });

  it.each([
    [
      'data.amount=10,50',
      '10,50',
      ['--set data.amount=10,50 is sent as it is.', 'R$ 10,50 is --set data.amount=1050'],
    ],
    ['data.amount=10.50', 10.5, ['R$ 10,50 is --set data.amount=1050']],
    ['data.amount=1050', 1_050, []],
    ['data.amount="10,50"', '10,50', []],
    ['data.amount=null', null, []],
  ])(
    '--set %s is sent as asked for, with a warning if it is reais in place of cents',
    async (edit, amount, said) => {
      const { bodies, stderr, code } = await trigger(['CHARGE_PAID', '--set', edit]);
      expect([code, bodies[0].data.amount]).toEqual([0, amount]);
      for (const words of said) expect(stderr).toContain(words);
      if (said.length === 0) expect(stderr).not.toContain('cents');
    },
  );

  it.each([
    ['data.fee=1,50', '1,50', true],
    ['data.fee=150', 150, false],
  ])(
    '--add %s is sent as asked for, with a warning if it is reais in place of cents',
    async (edit, fee, isWarned) => {
      const { bodies, stderr, code } = await trigger(['CHARGE_PAID', '--add', edit]);
      expect([code, bodies[0].data.fee]).toEqual([0, fee]);
      const warning =
        '--add data.fee=1,50 is sent as it is. Amounts in an event are cents: R$ 1,50 is --add data.fee=150';
      expect(stderr.includes(warning)).toBe(isWarned);
    },
  );

  it.each([
    ['data.amuont=5000', 'Did you mean data.amount?'],
    ['dta.amount=5000', 'Did you mean data.amount?'],
    ['data.customer.nmae=Ana', 'Did you mean data.customer.name?'],
    ['data.amount.cents=1', 'data.amount has no fields'],
    ['data.__proto__=1', 'The body has no data.__proto__'],
    ['data.amount', 'is not path=value'],
  ])('refuses --set %s and sends nothing', async (edit, said) => {
    const { code, stderr, got } = await trigger(['CHARGE_PAID', '--set', edit]);
    expect({ code, sent: got.length }).toEqual({ code: 64, sent: 0 });
    expect(stderr).toContain(said);
  });

  it('leaves out the fields of data that --remove names, in what is signed and in the rest of it', async () => {
    const { code, bodies, got } = await trigger([
      ...['CHARGE_PAID', '--set', 'data.amount=5000'],
      ...['--remove', 'data.customer', '--remove', 'data.txid'],
    ]);
    expect(code).toBe(0);
    expect(Object.keys(bodies[0])).toEqual(['id', 'event', 'createdAt', 'data']);
    expect(bodies[0].data).not.toHaveProperty('customer');
    expect(bodies[0].data).not.toHaveProperty('txid');
    expect(bodies[0].data).toMatchObject({ amount: 5000, status: 'PAID' });
    const [sent] = got;
    const header = sent?.headersDistinct['service-signature'];
    const judged = verify({ secret, body: sent?.body ?? '', header, now: Date.now(), toleranceMs: 60_000 });
    expect(judged.ok).toBe(true);
  });

  it('adds the fields that --add names, as JSON or else as text', async () => {
    const { code, got } = await trigger([
      ...[
        'NEW_EVENT',
        '--data',
        '{"customer":{"name":"Ana"}}',
        '--set',
        'id=evt_1',
        '--add',
        'livemode=true',
      ],
      ...[
        '--add',
        'data.metadata={"order":7}',
        '--add',
        'data.metadata.note=a=b',
        '--add',
        'data.customer.age=0.10',
      ],
      ...['--add', 'data.__proto__=1'],
    ]);
    expect(code).toBe(0);
    expect(got[0]?.body.toString().replace(/"createdAt":"[^"]+"/, '"createdAt":""')).toBe(
      '{"id":"evt_1","event":"NEW_EVENT","createdAt":"","data":{"customer":{"name":"Ana","age":0.10},"metadata":{"order":7,"note":"a=b"},"__proto__":1},"livemode":true}',
    );
  });

  it.each([
    ['a field below data', ['data.a.b'], '{"a":{"c":2},"list":[10,20,30],"rate":0.10}'],
    ['an item of a list', ['data.list.1'], '{"a":{"b":1,"c":2},"list":[10,30],"rate":0.10}'],
    [
      'items by their places before the first is removed',
      ['data.list.0', 'data.list.1'],
      '{"a":{"b":1,"c":2},"list":[30],"rate":0.10}',
    ],
    ['a field and what holds it', ['data.a.b', 'data.a'], '{"list":[10,20,30],"rate":0.10}'],
    ['everything in data', ['data.a', 'data.list', 'data.rate'], '{}'],
  ])('--remove takes %s out of a file with --data', async (_, paths, left) => {
    const path = join(mkdtempSync(join(tmpdir(), 'pixctl-data-')), 'data.json');
    writeFileSync(path, '{"a":{"b":1,"c":2},"list":[10,20,30],"rate":0.10}');
    const removed = paths.flatMap((each) => ['--remove', each]);
    const { code, got } = await trigger(['NEW_EVENT', '--data', `@${path}`, ...removed]);
    expect(code).toBe(0);
    expect(got[0]?.body).toContain(`"data":${left}}`);
  });

  it.each([
    [['--add', 'data.amount=1'], 'The body has data.amount already. Nothing was sent.'],
    [['--add', 'data.custmer.age=1'], 'The body has no data.custmer. Did you mean data.customer?'],
    [['--add', 'data.txid.part=1'], 'data.txid is no object, so it takes no field part.'],
    [['--add', 'data.note'], 'is not path=value. Nothing was sent.'],
    [['--remove', 'data.custmer'], 'The body has no data.custmer. Did you mean data.customer?'],
    [['--remove', 'data.customer.name.first'], 'data.customer.name has no fields'],
    [['--remove', 'data.__proto__'], 'The body has no data.__proto__'],
    [['--remove', 'data.list.length', '--data', '{"list":[1]}'], 'The body has no data.list.length'],
    [['--remove', 'amount'], 'The body has no amount. Did you mean data.amount?'],
    [['--set', 'customer.name=Ana'], 'The body has no customer.name. Did you mean data.customer.name?'],
    [['--remove', 'id'], '--remove id would leave no event: each has id, event, createdAt, data.'],
    [['--remove', 'data'], "For an event without data: --data '{}'."],
    [
      ['--set', 'data.customer.name=Ana', '--remove', 'data.customer'],
      '--set data.customer.name=Ana and --remove data.customer contradict each other',
    ],
    [
      ['--add', 'data.note=x', '--remove', 'data.note'],
      '--add data.note=x and --remove data.note contradict each other',
    ],
    [
      ['--add', 'data.customer.vip=true', '--remove', 'data.customer'],
      '--add data.customer.vip=true and --remove data.customer contradict each other',
    ],
  ])('refuses %j and sends nothing', async (args, said) => {
    const { code, stderr, got } = await trigger(['CHARGE_PAID', ...args]);
    expect({ code, sent: got.length }).toEqual({ code: 64, sent: 0 });
    expect(stderr).toContain(said);
  });

  it('sends data of one’s own, inline, from a file, from stdin, under any event name', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pixctl-data-')), 'data.json');
    writeFileSync(path, '{"from":"file"}');
    for (const [data, input, sent] of [
      ['{"from":"inline"}', '', { from: 'inline' }],
      [`@${path}`, '', { from: 'file' }],
      ['@-', '{"from":"stdin"}', { from: 'stdin' }],
      ['@-', '\ufeff{"from":"PowerShell"}', { from: 'PowerShell' }],
    ] as const) {
      const { code, bodies } = await trigger(['NEW_EVENT', '--data', data], undefined, { input });
      expect(code).toBe(0);
      expect(bodies[0]).toMatchObject({ event: 'NEW_EVENT', data: sent });
      await receiver?.close();
    }
  });

  it('gives each of several events an id of its own', async () => {
    const { rows, bodies } = await trigger(['CHARGE_PAID', '--times', '3']);
    expect(rows).toHaveLength(3);
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(3);
    expect(new Set(bodies.map(({ data }) => data.id)).size).toBe(3);
  });

  it('sends numbers as they were written, however long', async () => {
    const data = '{"amount":9007199254740993,"rate":0.10}';
    const { got } = await trigger(['NEW_EVENT', '--data', data, '--set', 'data.rate=12345678901234567890']);
    expect(got[0]?.body).toContain('"data":{"amount":9007199254740993,"rate":12345678901234567890}');
  });

  it.each([
    ['a misspelt event', ['CHARGE_PIAD'], 'Did you mean CHARGE_PAID?'],
    ['an unknown event without data', ['SOMETHING'], 'not a documented event'],
    ['data that is no object', ['CHARGE_PAID', '--data', '[1]'], '--data is not a JSON object'],
    ['data that is a number as written', ['CHARGE_PAID', '--data', '1.10'], '--data is not a JSON object'],
    [
      'a field of a number as written',
      ['NEW', '--data', '{"rate":0.10}', '--set', 'data.rate.rawJSON=1'],
      'data.rate has no fields',
    ],
    [
      'data that is not UTF-8',
      ['CHARGE_PAID', '--data', `@${latin1}`],
      `The text of ${JSON.stringify(`@${latin1}`).slice(1, -1)} is not UTF-8 text`,
    ],
    [
      'data and a secret from stdin',
      ['CHARGE_PAID', '--data', '@-', '--secret-stdin'],
      'stdin cannot be both',
    ],
    [
      'data and a secret from stdin by its other names',
      ['CHARGE_PAID', '--data', '@/dev/stdin', '--secret-file', '/dev/fd/0'],
      'stdin cannot be both',
    ],
    ['a count that is none', ['CHARGE_PAID', '--times', '0'], '--times'],
  ])('exits 64 with %s and sends nothing', async (_, args, said) => {
    const { code, stderr, got } = await trigger(args);
    expect({ code, sent: got.length }).toEqual({ code: 64, sent: 0 });
    expect(stderr).toContain(said);
  });

  it('exits 83 when the application does not accept it', async () => {
    const { code, rows, stderr } = await trigger(['CHARGE_PAID', '--times', '2'], () => 500);
    expect(code).toBe(83);
    expect(rows.map(({ status }) => status)).toEqual([500, 500]);
    expect(stderr).toContain('accepted 0 of 2 events: it answered 500');
  });

  it('shows what a receiver with another secret said, and how to choose the secret', async () => {
    const server = createServer((_, response) => response.writeHead(400).end('no match\u001b[2J'));
    const port = await listenOnLoopback(server);
    const { code, stderr } = await run(['webhook', 'trigger', 'CHARGE_PAID', '-f', String(port)], { env });
    server.close();
    expect(code).toBe(83);
    expect(stderr).toContain('It said "no match\\x1b[2J". If it refuses');
    expect(stderr).toContain('it has another secret: --secret-file, --endpoint or PIXCTL_WEBHOOK_SECRET');
  });

  it.each([
    ['white space', [' \n']],
    ['nothing, though it did with a later one', ['', 'this is about another event']],
  ])('repeats no words of a receiver that refused with %s', async (_, answers) => {
    const left = [...answers];
    const server = createServer((_, response) => response.writeHead(500).end(left.shift()));
    const port = await listenOnLoopback(server);
    const args = ['CHARGE_PAID', '-f', String(port), '--times', String(answers.length)];
    const { code, stderr } = await run(['webhook', 'trigger', ...args], { env });
    server.close();
    expect({ code, said: stderr.includes('It said') }).toEqual({ code: 83, said: false });
    expect(stderr).toContain('it answered 500');
  });

  it('exits 75 when nobody is there, and tries once', async () => {
    const gone = await startReceiver();
    await gone.close();
    const { code, stdout, stderr } = await run(
      ['webhook', 'trigger', 'CHARGE_PAID', '--times', '5', '-f', gone.url, '-o', 'ndjson'],
      { env },
    );
    expect(code).toBe(75);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('refused the connection');
  });

  it('exits 83 when the application refused one, and was gone for the next', async () => {
    const server = createServer((_, response) => {
      server.close();
      response.writeHead(500, { Connection: 'close' }).end();
    });
    const port = await listenOnLoopback(server);
    const args = ['CHARGE_PAID', '-f', String(port), '--times', '3', '-o', 'ndjson'];
    const { code, stdout, stderr } = await run(['webhook', 'trigger', ...args], { env });
    expect({ code, sent: stdout.trim().split('\n').length }).toEqual({ code: 83, sent: 2 });
    expect(stderr).toContain('accepted 0 of 3 events: it answered 500');
  });

  const stops: [string, number, string, (child: ReturnType<typeof start>) => Promise<number>][] = [
    [
      'a signal ends it',
      130,
      'events were sent',
      async (child) => {
        child.kill('SIGINT');
        // Never answered: it is in the middle of this one, whenever the signal arrives.
        return new Promise(() => {});
      },
    ],
    [
      'its reader goes away',
      83,
      'the rest was not sent',
      async (child) => {
        child.stdout.destroy();
        return 200;
      },
    ],
  ];
  it.each(stops.slice(noSignals === null ? 0 : 1))(
    'is no success when %s before all were sent',
    async (_, exit, why, answer) => {
      receiver = await alwaysAnswering(() => answer(child));
      const args = ['CHARGE_PAID', '--times', '99', '-f', receiver.url, '-o', 'ndjson', '--timeout', '1h'];
      const child = start(['webhook', 'trigger', ...args], { env });
      child.stdin.end();
      child.stdout.resume();
      let said = '';
      child.stderr.on('data', (text: Buffer) => (said += text.toString()));
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect([code, said]).toEqual([exit, expect.stringContaining(why)]);
    },
  );

  it('sends nothing to another machine unless told to', async () => {
    const { code, stderr } = await run(['webhook', 'trigger', 'CHARGE_PAID', '-f', 'http://192.0.2.1/'], {
      env,
    });
    expect(code).toBe(64);
    expect(stderr).toContain('--allow-remote');
  });

  it('shows the body and sends nothing with --dry-run', async () => {
    receiver = await startReceiver();
    const { code, stdout, stderr } = await run(
      ['webhook', 'trigger', 'CHARGE_PAID', '-f', receiver.url, '--dry-run'],
      { env },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ event: 'CHARGE_PAID' });
    expect(stderr).toContain('Nothing was sent.');
    expect(receiver.received).toEqual([]);
  });
});
