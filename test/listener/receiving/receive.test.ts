/** The receiver over real HTTP and a real inbox file: what is taken, what is refused, and why. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { isListenerAt } from '../../../src/listener/port.ts';
import { deliver, eventBody, signatureOf, testSecret } from '../../support/delivery.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';
import { started, stored } from '../../support/listener.ts';

/** Windows throws away an answer to whoever is still sending when the connection ends. */
const isAnswerLost = process.platform === 'win32';

const now = () => Math.floor(Date.now() / 1000);
const body = eventBody('evt_1');

describe('a delivery that is genuine', () => {
  it('is stored with its exact bytes before it is answered with 200', async () => {
    const { url, inbox, reports } = await started();
    expect(await deliver(url, body)).toEqual({ status: 200, body: '{"received":true}' });
    const [event] = await inbox.find('evt_1');
    expect(Buffer.from(event?.body ?? []).toString()).toBe(body);
    expect(reports).toMatchObject([
      {
        type: 'event',
        id: 'evt_1',
        event: 'CHARGE_PAID',
        verified: true,
        duplicate: false,
        forward: null,
        amount: 12345,
      },
    ]);
  });

  it('is accepted once, however often it comes', async () => {
    const { url, inbox, reports } = await started();
    const answers = await Promise.all([1, 2, 3].map(() => deliver(url, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await stored(inbox)).map(({ duplicates }) => duplicates)).toEqual([2]);
    expect(reports.filter((report) => report.type === 'event' && report.duplicate)).toHaveLength(2);
  });

  it('with the id of an earlier event and another body is reported, because that body is not kept', async () => {
    const { url, inbox, reports } = await started();
    for (const amount of [1, 1, 2]) await deliver(url, eventBody('evt_1', 'CHARGE_PAID', amount));
    expect(await stored(inbox)).toHaveLength(1);
    expect(reports.map((report) => 'odd' in report && report.odd)).toEqual([
      false,
      false,
      'its body differs from the earlier one with its id, and only the earlier one is kept',
    ]);
  });

  it('is accepted if an independent library of the scheme signed it', async () => {
    const { url } = await started();
    const stripe = new Stripe('sk_test_unused');
    const header = stripe.webhooks.generateTestHeaderString({ payload: body, secret: testSecret });
    expect((await deliver(url, body, { 'Service-Signature': header })).status).toBe(200);
  });

  it.each([
    ['one of several v1 matches', () => `${signatureOf(body)},v1=${'0'.repeat(64)}`],
    ['another scheme stands beside v1', () => `${signatureOf(body)},v0=${'0'.repeat(64)}`],
    ['it is four minutes old', () => signatureOf(body, testSecret, now() - 240)],
    ['it comes four minutes early', () => signatureOf(body, testSecret, now() + 240)],
  ])('is taken when %s', async (_when, header) => {
    const { url } = await started();
    expect((await deliver(url, body, { 'Service-Signature': header() })).status).toBe(200);
  });

  it.each([
    ['no JSON', 'not json at all', 'the body is not a JSON object'],
    ['a JSON array', '[1]', 'the body is not a JSON object'],
    ['no id', '{"event":"CHARGE_PAID"}', 'the body has no usable id'],
    ['an id that is a number', '{"id":7,"event":"CHARGE_PAID"}', 'the body has no usable id'],
    ['NUL in its id', '{"id":"a\\u0000b","event":"X"}', 'the body has no usable id'],
    [
      'bytes that are not UTF-8 in its id',
      Buffer.from('{"id":"evt_\xe9","event":"X"}', 'latin1'),
      'the body has no usable id',
    ],
    ['half a surrogate pair in its id', '{"id":"\\ud800","event":"X"}', 'the body has no usable id'],
    ['no event name', '{"id":"evt_9"}', 'the body has no usable event name'],
    ['nothing at all', '', 'the body is not a JSON object'],
  ])('is kept although it has %s', async (_what, odd, why) => {
    const { url, inbox, reports } = await started();
    expect((await deliver(url, odd, { 'Service-Signature': signatureOf(odd) })).status).toBe(200);
    expect((await deliver(url, odd, { 'Service-Signature': signatureOf(odd) })).body).toContain('duplicate');
    expect(reports[0]).toMatchObject({ type: 'event', odd: why });
    expect(await stored(inbox)).toHaveLength(1);
  });

  it('is no repeat of one whose id differs only in bytes that are not UTF-8', async () => {
    const { url, inbox } = await started();
    for (const byte of ['\xe8', '\xe9']) {
      const odd = Buffer.from(`{"id":"evt_${byte}","event":"CHARGE_PAID"}`, 'latin1');
      expect((await deliver(url, odd)).body).toBe('{"received":true}');
    }
    expect(await stored(inbox)).toHaveLength(2);
  });

  it('is kept when its event is unknown', async () => {
    const { url, inbox } = await started();
    const unknown = eventBody('evt_u', 'SOMETHING_NEW');
    expect((await deliver(url, unknown)).status).toBe(200);
    expect((await stored(inbox))[0]).toMatchObject({ event: 'SOMETHING_NEW' });
  });

  it('is verified with whichever of several secrets signed it', async () => {
    const { url } = await started({}, ['whsec_old', testSecret]);
    expect((await deliver(url, body)).status).toBe(200);
    expect(
      (
        await deliver(url, eventBody('evt_2'), {
          'Service-Signature': signatureOf(eventBody('evt_2'), 'whsec_old'),
        })
      ).status,
    ).toBe(200);
  });

  it('is found under another header name', async () => {
    const { url } = await started({ signatureHeader: 'X-Pix-Signature' });
    expect((await deliver(url, body, { 'x-pix-signature': signatureOf(body) })).status).toBe(200);
    expect((await deliver(url, body)).status).toBe(400);
  });
});

describe('a delivery that is not genuine', () => {
  it.each<[string, Record<string, string | string[]>, string]>([
    ['without a signature', {}, 'header-missing'],
    ['with an empty signature', { 'Service-Signature': '' }, 'header-missing'],
    [
      'with the signature twice',
      { 'Service-Signature': [signatureOf(body), signatureOf(body)] },
      'header-duplicated',
    ],
    ['with rubbish for a signature', { 'Service-Signature': 'rubbish' }, 'header-malformed'],
    ['without t', { 'Service-Signature': `v1=${'a'.repeat(64)}` }, 'timestamp-missing'],
    ['with two t', { 'Service-Signature': `t=1,${signatureOf(body)}` }, 'timestamp-duplicated'],
    ['without v1', { 'Service-Signature': `t=${now()}` }, 'signature-missing'],
    [
      'with half a signature',
      { 'Service-Signature': signatureOf(body).slice(0, -32) },
      'signature-malformed',
    ],
    [
      'signed with another secret',
      { 'Service-Signature': signatureOf(body, 'whsec_other') },
      'signature-mismatch',
    ],
    ['signed for another body', { 'Service-Signature': signatureOf(`${body} `) }, 'signature-mismatch'],
    [
      'ten minutes old',
      { 'Service-Signature': signatureOf(body, testSecret, now() - 600) },
      'timestamp-too-old',
    ],
    [
      'from ten minutes ahead',
      { 'Service-Signature': signatureOf(body, testSecret, now() + 600) },
      'timestamp-in-future',
    ],
    [
      'with a later t than was signed',
      { 'Service-Signature': signatureOf(body).replace(/t=\d+/, `t=${now() + 1}`) },
      'signature-mismatch',
    ],
  ])('%s is answered with 400, told, and not stored', async (_what, headers, reason) => {
    const { url, inbox, reports } = await started();
    expect((await deliver(url, body, headers)).status).toBe(400);
    expect(reports).toMatchObject([
      {
        type: 'rejected',
        id: null,
        event: null,
        verified: false,
        duplicate: false,
        forward: null,
        reason,
        answered: 400,
      },
    ]);
    expect(await stored(inbox)).toEqual([]);
  });

  it.each([
    ['a newline that was not signed', `${body}\n`, signatureOf(body), 'has a newline at its end'],
    ['a secret with its line break', body, signatureOf(body, `${testSecret}\n`), 'line break'],
  ])('with %s is explained to whoever listens, and to nobody else', async (_what, sent, header, cause) => {
    const { url, reports } = await started();
    const answered = await deliver(url, sent, { 'Service-Signature': header });
    expect(answered.status).toBe(400);
    expect(answered.body).not.toContain(cause);
    expect(reports).toMatchObject([{ message: expect.stringContaining(cause) }]);
  });

  it('whose mismatch nothing explains is reported as a mismatch and no more', async () => {
    const { url, reports } = await started();
    await deliver(url, body, { 'Service-Signature': signatureOf(body, 'whsec_other') });
    expect(reports).toMatchObject([{ message: 'the signature does not match this body and secret' }]);
  });

  it.each([
    ['the one that was tried first', [testSecret, 'whsec_old']],
    ['the one that was tried last', ['whsec_old', testSecret]],
  ])('that is only too old is reported as such, whichever secret signed it: %s', async (_which, secrets) => {
    const { url, reports } = await started({}, secrets);
    await deliver(url, body, { 'Service-Signature': signatureOf(body, testSecret, now() - 600) });
    expect(reports).toMatchObject([{ reason: 'timestamp-too-old' }]);
  });

  it.each([
    [64 * 1024, 'has a newline at its end that was not signed'],
    [64 * 1024 + 1, 'the signature does not match this body and secret'],
  ])('of %d bytes is explained as long as that holds nobody up', async (length, told) => {
    const { url, reports } = await started();
    const sent = `${' '.repeat(length - 1)}\n`;
    await deliver(url, sent, { 'Service-Signature': signatureOf(sent.slice(0, -1)) });
    expect(reports).toMatchObject([{ message: expect.stringMatching(new RegExp(`${told}$`)) }]);
  });

  it("of another endpoint is reported as that endpoint's", async () => {
    const { url, reports, listener } = await started();
    listener.setSecrets([testSecret], [{ secret: 'whsec_other', description: 'of the endpoint wh_2' }]);
    await deliver(url, body, { 'Service-Signature': signatureOf(body, 'whsec_other') });
    expect(reports).toMatchObject([{ message: expect.stringMatching(/: it is of the endpoint wh_2$/) }]);
  });

  it('is reported alike, whatever the body claims to be', async () => {
    const { url, reports } = await started();
    await deliver(url, '{"id":"evt_forged","event":"CHARGE_PAID"}', {
      'Service-Signature': signatureOf('x'),
    });
    expect(JSON.stringify(reports)).not.toContain('evt_forged');
  });

  it('is accepted at any age if the tolerance is none', async () => {
    const { url } = await started({ toleranceMs: null });
    expect(
      (await deliver(url, body, { 'Service-Signature': signatureOf(body, testSecret, 1_000_000_000) }))
        .status,
    ).toBe(200);
  });
});

describe('the server', () => {
  it('answers 503 until the secret is known, and reports that', async () => {
    const { url, listener, inbox, reports } = await started({}, null);
    expect((await deliver(url, body)).status).toBe(503);
    expect(reports).toMatchObject([{ type: 'rejected', reason: 'not-ready', answered: 503 }]);
    expect(listener.earlyRequestMethod()).toBe('POST');
    expect(await stored(inbox)).toEqual([]);
    listener.setSecrets([testSecret]);
    expect((await deliver(url, body)).status).toBe(200);
  });

  it("distinguishes a GET that came before the secret from pixctl's own look", async () => {
    const { url, listener } = await started({}, null);
    await deliver(url, '', { 'User-Agent': 'pixctl' }, 'GET');
    expect(await isListenerAt(listener.port)).toBe(true);
    expect(listener.earlyRequestMethod()).toBe(null);
    await deliver(`${url}?challenge=1`, '', {}, 'GET');
    expect(listener.earlyRequestMethod()).toBe('GET');
  });

  it('answers GET and HEAD with 200, and other methods with 405, which it reports', async () => {
    const { url, listener, reports } = await started();
    const get = await deliver(url, '', {}, 'GET');
    expect(get.status).toBe(200);
    expect(JSON.parse(get.body)).toEqual({ pixctl: 'listening', instance: listener.instance });
    expect((await deliver(url, '', {}, 'HEAD')).status).toBe(200);
    expect([reports, listener.earlyRequestMethod()]).toEqual([[], null]);
    expect((await deliver(url, body, {}, 'PUT')).status).toBe(405);
    expect(reports).toMatchObject([
      { reason: 'not-post', answered: 405, message: 'a PUT came; deliveries are POSTs' },
    ]);
  });

  it('refuses and reports a delivery that a redirect has turned into a GET, because its body is gone', async () => {
    const { url, reports, inbox } = await started({ signatureHeader: 'X-Sig' });
    const door = createServer((request, response) => {
      request.resume();
      response.writeHead(301, { Location: url }).end();
    });
    const port = await listenOnLoopback(door);
    const headers = { 'X-Sig': signatureOf(body) };
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
    door.close();
    expect(answer.status).toBe(405);
    expect(reports).toMatchObject([
      {
        type: 'rejected',
        reason: 'not-post',
        message: expect.stringMatching(/^a GET came with the header X-Sig: a redirect .* drops its body;/),
      },
    ]);
    expect(await stored(inbox)).toEqual([]);
  });

  it.each([
    ['no Host', '', 400, 'a request came without the header Host, which HTTP/1.1 requires'],
    [
      'an odd Expect',
      'Host: x\r\nExpect: the-best\r\n',
      417,
      'a request came with a header Expect that is not 100-continue',
    ],
  ])('refuses and reports a delivery with %s', async (_what, lines, answered, message) => {
    const { listener, url, reports } = await started();
    const socket = connect(listener.port, '127.0.0.1');
    const signed = `Service-Signature: ${signatureOf(body)}\r\nContent-Length: ${body.length}\r\n`;
    socket.end(`POST / HTTP/1.1\r\n${lines}${signed}\r\n${body}`);
    expect((await text(socket)).slice(0, 12)).toBe(`HTTP/1.1 ${answered}`);
    expect(reports).toMatchObject([{ type: 'rejected', reason: 'not-http', answered, message }]);
    expect((await deliver(url, body)).status).toBe(200);
  });

  it('takes a delivery by HTTP/1.0, which needs no Host', async () => {
    const { listener, inbox } = await started();
    const socket = connect(listener.port, '127.0.0.1');
    const signed = `Service-Signature: ${signatureOf(body)}\r\nContent-Length: ${body.length}\r\n`;
    socket.end(`POST / HTTP/1.0\r\n${signed}\r\n${body}`);
    expect((await text(socket)).slice(0, 12)).toBe('HTTP/1.1 200');
    expect(await stored(inbox)).toHaveLength(1);
  });

  it('takes deliveries at its path only, query or not', async () => {
    const { url, reports } = await started({ path: '/pix' });
    expect((await deliver(url, body)).status).toBe(404);
    const message = 'a POST came to the path /, not to /pix';
    expect(reports).toMatchObject([{ type: 'rejected', reason: 'wrong-path', message }]);
    expect((await deliver(`${url}pix?from=service`, body)).status).toBe(200);
  });

  it('takes deliveries at its path when the whole address is given, as to a proxy', async () => {
    const { listener, reports } = await started({ path: '/hooks' });
    const statusOf = (path: string) =>
      new Promise<number | undefined>((resolve) => {
        const headers = { 'Service-Signature': signatureOf(body) };
        request({ port: listener.port, path, method: 'POST', headers, agent: false }, (answer) => {
          resolve(answer.resume().statusCode);
        }).end(body);
      });
    expect(await statusOf('http://hooks.example.com/hooks?a=1')).toBe(200);
    expect(await statusOf('http://hooks.example.com/other')).toBe(404);
    expect(reports).toMatchObject([{}, { message: 'a POST came to the path /other, not to /hooks' }]);
    expect(await statusOf('http://hooks.example.com')).toBe(404);
  });

  it('refuses a body above its bound, announced or streamed, and goes on', async () => {
    const { url, inbox } = await started();
    const large = Buffer.alloc(1024 * 1024 + 1, 'a');
    const told = await deliver(url, large, { 'Service-Signature': signatureOf(large) }).then(
      ({ status }) => status,
      (cause: NodeJS.ErrnoException) => cause.code,
    );
    expect(isAnswerLost ? [413, 'ECONNRESET'] : [413]).toContain(told);
    const streamed = await new Promise<number | string>((resolve) => {
      const outgoing = request(url, { method: 'POST', headers: { 'Service-Signature': signatureOf(large) } });
      outgoing.on('response', (response) => resolve(response.statusCode ?? 0));
      outgoing.on('error', (cause: NodeJS.ErrnoException) => resolve(cause.code ?? ''));
      outgoing.write(large);
      outgoing.write(large);
    });
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(streamed);
    expect(await stored(inbox)).toEqual([]);
    const fitting = Buffer.alloc(1024 * 1024, 'a');
    expect((await deliver(url, fitting, { 'Service-Signature': signatureOf(fitting) })).status).toBe(200);
  });

  it('reports what it cannot read as HTTP, because nothing else would show it', async () => {
    const { listener, reports } = await started();
    const answers: string[] = [];
    const say = async (what: string) => {
      const socket = connect(listener.port, '127.0.0.1');
      socket.end(what);
      answers.push((await text(socket)).slice(0, 12));
    };
    await say('hello\r\n\r\n');
    await say(`POST / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`);
    await once(connectTls({ port: listener.port, host: '127.0.0.1' }), 'error');
    expect(answers).toEqual(['HTTP/1.1 400', 'HTTP/1.1 400']);
    expect(reports).toMatchObject([
      {
        reason: 'not-http',
        answered: 400,
        message: expect.stringMatching(/read as HTTP \(HPE_INVALID_\w+\)$/),
      },
      { reason: 'not-http', message: 'a request came with more than 16 KiB of headers' },
      { reason: 'not-http', message: expect.stringMatching(/^a TLS connection came .* with http:\/\/$/) },
    ]);
  });

  it('says nothing of a request whose sender went away before its end', async () => {
    const { listener, url, reports } = await started();
    for (const part of [
      'POST / HT',
      `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab`,
    ]) {
      const socket = connect(listener.port, '127.0.0.1');
      socket.end(part);
      await text(socket);
    }
    await deliver(url, body);
    expect(reports).toMatchObject([{ type: 'event', id: 'evt_1' }]);
  });

  it('takes one in chunks, signed in its last header', async () => {
    const { listener, inbox } = await started();
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n';
    const pieces = [body.slice(0, 9), body.slice(9), ''].map(
      (piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`,
    );
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(`${head}Service-Signature: ${signatureOf(body)}\r\n\r\n${pieces.join('')}`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect((await stored(inbox)).map(({ eventId }) => eventId)).toEqual(['evt_1']);
  });

  it('refuses large bodies of which too many are under way, to be sent again, and takes an event meanwhile', async () => {
    const { listener, url, report } = await started();
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${1024 * 1024}\r\n\r\n`;
    const unfinished = Buffer.concat([Buffer.from(head), Buffer.alloc(1024 * 1024 - 1)]);
    let refusals = '';
    const strangers = Array.from({ length: 80 }, () => {
      const stranger = connect(listener.port, '127.0.0.1').on('error', () => {});
      stranger.on('data', (chunk) => (refusals += chunk.toString()));
      stranger.write(unfinished);
      return stranger;
    });
    expect(await report((it) => it.type === 'rejected')).toMatchObject({ reason: 'no-room', answered: 503 });
    if (!isAnswerLost)
      await expect.poll(() => refusals).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n/);
    expect((await deliver(url, body)).status).toBe(200);
    for (const stranger of strangers) stranger.destroy();
  });

  it.each([
    ['no HTTP', 'rubbish\r\n\r\n'],
    [
      'two different lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('answers 400 to %s and goes on', async (_what, bytes) => {
    const { listener, url } = await started();
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(listener.port, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
      socket.on('error', () => {});
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect((await deliver(url, body)).status).toBe(200);
  });

  it('stores nothing of a delivery that breaks off in the middle', async () => {
    const { listener, inbox, url } = await started();
    const half = `POST / HTTP/1.1\r\nHost: x\r\nService-Signature: ${signatureOf(body)}\r\nContent-Length: ${body.length}\r\n\r\n`;
    await new Promise<void>((resolve) => {
      const socket = connect(listener.port, '127.0.0.1', () => {
        socket.write(half + body.slice(0, 20), () => socket.destroy());
      });
      socket.on('close', () => resolve());
    });
    await deliver(url, eventBody('evt_2'));
    expect((await stored(inbox)).map(({ eventId }) => eventId)).toEqual(['evt_2']);
  });

  it('answers 500, so that the service sends it again, when it cannot be stored', async () => {
    const troubles: unknown[] = [];
    const { url, inbox } = await started({ onTrouble: (cause) => troubles.push(cause) });
    await inbox.close();
    expect((await deliver(url, body)).status).toBe(500);
    expect(troubles).toMatchObject([{ kind: 'storage' }]);
  });
});
