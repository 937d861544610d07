/** What a stranger who signs wrongly is told, and how much of the listener's time that costs. */
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { sign } from '../../../src/contract/signature.ts';
import { createDeliveryVerifier } from '../../../src/listener/receiving/delivery-verifier.ts';

const secret = 'whsec_test_0123456789abcdef';
const timestamp = 1_767_323_045;
const body = '{"id":"evt_0001"}';
const headers = [['Service-Signature', sign({ secret, body: `${body}\n`, timestamp })]] as const;

/** One that looks at the clock twice for each explanation, which takes `elapsedMs`. */
function judgeTaking(elapsedMs: number) {
  let passed = 0;
  const clock = {
    now: () => timestamp * 1000,
    monotonic: () => {
      passed += elapsedMs;
      return passed;
    },
    sleep: () => Promise.reject(new Error('nothing is waited for')),
  };
  const verify = createDeliveryVerifier({
    clock,
    otherSecrets: () => [],
    signatureHeader: 'Service-Signature',
    toleranceMs: 300_000,
  });
  return () => verify(new Map([['source', secret]]), headers, Buffer.from(body));
}

const explained = { operatorMessage: expect.stringContaining('a newline was signed at the end') };
const refused = { operatorMessage: 'the signature does not match this body and secret' };

it('after a slow explanation, nothing is explained for twenty times as long', () => {
  const judge = judgeTaking(1_000);
  expect(judge()).toMatchObject(explained);
  // From the end of the first, which the clock says was at 2 s, to 22 s.
  for (let second = 3; second < 22; second++) expect(judge()).toMatchObject(refused);
  expect(judge()).toMatchObject(explained);
});

it('after a quick explanation, the next one may come 0.2 s later', () => {
  const judge = judgeTaking(10);
  expect(judge()).toMatchObject(explained);
  for (let asked = 0; asked < 19; asked++) expect(judge()).toMatchObject(refused);
  expect(judge()).toMatchObject(explained);
});

it('tells only whoever runs the listener the name that the signature came under', () => {
  const verify = createDeliveryVerifier({
    clock: { now: () => timestamp * 1000, monotonic: () => 0, sleep: () => Promise.resolve() },
    otherSecrets: () => [],
    signatureHeader: 'Service-Signature',
    toleranceMs: 300_000,
  });
  const judged = (name: string, value: string) =>
    verify(
      new Map([['source', secret]]),
      [
        ['Content-Length', '18'],
        [name, value],
      ],
      Buffer.from(body),
    );
  const message = 'there is no signature header';
  expect(judged('X-Real-Signature', sign({ secret, body, timestamp }))).toEqual({
    ok: false,
    reason: 'header-missing',
    message,
    operatorMessage: `${message}; X-Real-Signature looks like one: give it as --signature-header X-Real-Signature`,
  });
  const dropped = `${message}, Service-Signature; a proxy or tunnel on the way may drop headers it does not know`;
  expect(judged('X-Real-Id', '00')).toMatchObject({ message, operatorMessage: dropped });
  for (const hostile of ['X`reboot`', 'X|reboot', 'X&reboot', '--allow-remote', 'x'.repeat(65)])
    expect(judged(hostile, sign({ secret, body, timestamp }))).toMatchObject({
      message,
      operatorMessage: dropped,
    });
  expect(judged('service-signature', '')).toMatchObject({
    message,
    operatorMessage: `${message}: Service-Signature came, and it is empty`,
  });
  const hex = 'f71aab663e9e24a8c7f90aaf47c207e858ac5af230281311bc2baa1a6a7c909d';
  for (const [name, value] of [
    ['X-Real-Signature', 'sha256=00'],
    ['X-Real-Mac', hex],
  ] as const)
    expect(judged(name, value)).toMatchObject({
      message,
      operatorMessage: `${message}; ${name} may be one in another form: --signature-header ${name} says what differs from t=<seconds>,v1=<hex>`,
    });
});

const signature = sign({ secret, body, timestamp });
const alone = createHmac('sha256', secret).update(body).digest('hex');
it.each<[string, readonly (readonly [string, string])[], string]>([
  [
    'twice',
    [
      ['Service-Signature', signature],
      ['Service-Signature', signature],
    ],
    'a proxy or tunnel on the way may add it a second time',
  ],
  ['folded', [['Service-Signature', `${signature}, ${signature}`]], 'a proxy or tunnel on the way'],
  [
    'of another time',
    [['Service-Signature', sign({ secret, body, timestamp: 1 })]],
    '--tolerance allows more',
  ],
  ['without t', [['Service-Signature', `sha256=${alone}`]], 'it signs the body alone'],
  [
    'of a body that was compressed since',
    [
      ['Content-Encoding', 'gzip'],
      ['Service-Signature', sign({ secret, body: 'another', timestamp })],
    ],
    'the body came compressed (Content-Encoding: gzip)',
  ],
])('of a signature that comes %s, tells what may be the cause', (_, coming, told) => {
  const verify = createDeliveryVerifier({
    clock: { now: () => timestamp * 1000, monotonic: () => 0, sleep: () => Promise.resolve() },
    otherSecrets: () => [],
    signatureHeader: 'Service-Signature',
    toleranceMs: 300_000,
  });
  expect(verify(new Map([['source', secret]]), coming, Buffer.from(body))).toMatchObject({
    ok: false,
    operatorMessage: expect.stringContaining(told),
  });
});
