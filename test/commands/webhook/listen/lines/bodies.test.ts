/** Bodies beside the lines of a listener. */
import { expect, it } from 'vitest';
import { withBodies } from '../../../../../src/commands/webhook/listen/lines/bodies.ts';
import type { Line, TimedLine } from '../../../../../src/commands/webhook/listen/lines/lines.ts';
import type { Bodies } from '../../../../../src/commands/webhook/read-body.ts';
import { startApplication } from '../../../../support/application.ts';
import { deliver, eventBody, signatureOf } from '../../../../support/delivery.ts';
import { homeWithSecret, listen } from '../../../../support/listen.ts';

const withFields = (home: string, port: number) => [
  ...['--port', '0', '--secret-file', `${home}/secret`, '-f', String(port)],
  ...['--fields', 'type,url,id,forward,state,body'],
];

it('tells what came, with its first attempt and with a later one, numbers as they were written', async () => {
  const home = homeWithSecret();
  const application = await startApplication();
  application.answer = (_id, before) => (before === 0 ? 500 : 200);
  const listener = await listen(home, withFields(home, application.port));
  const body = '{"id":"evt_1","event":"CHARGE_PAID","data":{"amount":9007199254740993,"rate":1.10}}';
  await deliver(listener.url, body, { 'Service-Signature': signatureOf(body) });
  const text: string[] = [];
  listener.child.stdout?.on('data', (chunk: Buffer) => text.push(chunk.toString()));
  const first = await listener.line(({ type }) => type === 'event');
  const later = await listener.line(({ type }) => type === 'forward');
  for (const line of [first, later])
    expect(line).toMatchObject({ id: 'evt_1', body: { event: 'CHARGE_PAID', data: { rate: 1.1 } } });
  expect(text.join('')).toContain('"amount":9007199254740993,"rate":1.10');
  await deliver(listener.url, eventBody('evt_2'), { 'Service-Signature': 't=1,v1=00' });
  expect(await listener.line(({ type }) => type === 'rejected')).toMatchObject({ body: null });
  await listener.stop();
  await application.close();
});

const line = (key: string) => ({ line: { type: 'event', key } as Line, at: 0 }) satisfies TimedLine;
const stored = (key: string) => ({ key, body: Buffer.from(`{"of":"${key}"}`) });

async function collect(inbox: Bodies, portions: readonly (readonly TimedLine[])[]) {
  const trouble: unknown[] = [];
  const given: (readonly TimedLine[])[] = [];
  async function* lines() {
    yield* portions;
  }
  for await (const some of withBodies(lines(), inbox, (cause) => trouble.push(cause))) given.push(some);
  return { given, trouble };
}

it('reads a few at a time, in order, and the one of that key where others have the id', async () => {
  const keys = Array.from({ length: 120 }, (_, at) => `in_${at}`);
  const find = async (key: string) => [stored('in_other'), stored(key)];
  const { given } = await collect({ find }, [keys.map(line)]);
  expect(given.map((some) => some.length)).toEqual([50, 50, 20]);
  expect(given.flat()).toEqual(
    keys.map((key) => ({ at: 0, line: { type: 'event', key, body: { of: key } } })),
  );
});

it('goes on without a body that cannot be read, or is gone', async () => {
  const broken = new Error('the disk');
  const find = async (key: string) => {
    if (key === 'in_1') throw broken;
    return key === 'in_2' ? [] : [stored(key)];
  };
  const { given, trouble } = await collect({ find }, [['in_1', 'in_2', 'in_3'].map(line)]);
  expect(given.flat().map(({ line }) => ('body' in line ? line.body : 'none'))).toEqual([
    null,
    null,
    { of: 'in_3' },
  ]);
  expect(trouble).toEqual([broken]);
});
