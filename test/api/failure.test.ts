/** Why there is no answer, in words that say what helps: most of it no later try would mend. */
import { describe, expect, it } from 'vitest';
import { describeFailure, remedyFor } from '../../src/api/failure.ts';
import { bareServer, hostileServer } from '../support/hostile-server.ts';
import { run } from '../support/run.ts';
import { clientOf } from './client-of.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('a certificate', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'its TLS certificate has expired (CERT_HAS_EXPIRED)', 'clock of this machine'],
    ['CERT_NOT_YET_VALID', 'its TLS certificate is not valid yet (CERT_NOT_YET_VALID)', 'clock'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name (ERR_TLS_CERT_ALTNAME_INVALID)', 'the address'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'is from an authority unknown to this machine', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'from an authority unknown to this machine', 'NODE_EXTRA_CA_CERTS'],
  ])('that ends with %s is reported with its remedy', (code, words, remedy) => {
    expect(describeFailure(withCode(code))).toContain(words);
    expect(remedyFor(withCode(code))).toContain(remedy);
  });

  it('is not blamed for a handshake that failed otherwise', () => {
    const cause = withCode('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
    expect(describeFailure(cause)).toBe(
      'its TLS certificate or handshake failed (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)',
    );
    expect(remedyFor(cause)).toBeNull();
  });

  it('is not blamed either where https is asked of what speaks http, and the address is named as it should be', async () => {
    await using server = await hostileServer((response) => response.end());
    const api = clientOf(server.url.replace('http:', 'https:'));
    await expect(api.call('getCharge', { query: { id: 'chg_1' } })).rejects.toMatchObject({
      kind: 'later',
      message: expect.stringMatching(
        /what answers there does not speak TLS \(ERR_SSL_\w+\)\. Nothing was sent\.$/,
      ),
      hint: 'Check the port. A plain http server on this machine has an address with http://',
    });
    await api.close();
  });
});

describe('an answer', () => {
  it.each([
    ['of another protocol', 'SSH-2.0-OpenSSH_9\r\n', 'the answer is not HTTP/1.1'],
    [
      'after a 100 Continue',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
      'the server sent a 100 Continue that was not requested',
    ],
    [
      'that goes over to another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      'the server switched to another protocol (101)',
    ],
  ])('%s is reported as such, and a create stays unknown', async (_, bytes, words) => {
    await using server = await bareServer((socket) => socket.once('data', () => socket.write(bytes)));
    const api = clientOf(server.url);
    await expect(api.call('getCharge', { query: { id: 'chg_1' } })).rejects.toMatchObject({
      kind: 'later',
      message: expect.stringContaining(words),
    });
    await expect(api.call('createCharge', { body: { method: 'PIX', amount: 1050 } })).rejects.toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining(words),
    });
    await api.close();
  });
});

it('an answer that ends before its length is reported as cut off', async () => {
  const begun = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 99\r\n\r\n{"data":';
  await using server = await bareServer((socket) => socket.once('data', () => socket.end(begun)));
  const api = clientOf(server.url);
  await expect(api.call('createCharge', { body: { method: 'PIX', amount: 1050 } })).rejects.toMatchObject({
    kind: 'unknown',
    message: expect.stringContaining('was lost (the answer was cut off)'),
  });
  await api.close();
});

describe('a proxy', () => {
  it.each([
    [407, 'HTTPS_PROXY=http://<user>:<password>@<proxy>:<port>'],
    [502, 'Check the address'],
  ])('that refuses with %i is reported with that number', async (status, remedy) => {
    await using proxy = await bareServer((socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)),
    );
    const api = clientOf('https://localhost:1', { environment: { HTTPS_PROXY: proxy.url } });
    await expect(api.call('createCharge', { body: { method: 'PIX', amount: 1050 } })).rejects.toMatchObject({
      kind: 'later',
      message: expect.stringMatching(
        new RegExp(`the proxy refused the connection \\(${status}\\)\\. Nothing was sent`),
      ),
      hint: expect.stringContaining(remedy),
    });
    await api.close();
  });
});

it('a limit of open files is reported as such: no later try would mend it', () => {
  expect(describeFailure(withCode('EMFILE'))).toBe(
    'this process cannot open more files (EMFILE; see ulimit -n)',
  );
  expect(describeFailure(withCode('ENFILE'))).toBe('this machine cannot open more files (ENFILE)');
});

it('an answer whose headers have no end is reported in words', async () => {
  await using server = await bareServer((socket) => {
    const headers = `x-a: ${'b'.repeat(1_000)}\r\n`.repeat(64);
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${headers}`));
  });
  const api = clientOf(server.url, { retry: { attempts: 1 } });
  await expect(api.call('createCharge', { body: { method: 'PIX', amount: 1050 } })).rejects.toMatchObject({
    kind: 'unknown',
    message: expect.stringContaining('was lost (the headers of the answer are too large)'),
  });
  await api.close();
});

it.each([
  ['a read', ['charge', 'get', 'chg_1']],
  ['a create', ['charge', 'create', '--amount', '1050', '--no-qr']],
  ['a create with a key', ['charge', 'create', '--amount', '1050', '--no-qr', '--idempotency-key', 'k-1']],
  ['a withdrawal', ['withdraw', '-a', '10,00', '-t', 'a@b.example', '--type', 'EMAIL', '-k', 'k-1', '--yes']],
])('%s by a Node without WebAssembly is not sent, and no later try would do better', async (_, args) => {
  await using server = await hostileServer((response) => response.end());
  const { code, stderr } = await run(args, {
    env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x', NODE_OPTIONS: '--jitless' },
  });
  expect([code, server.received]).toEqual([78, []]);
  expect(stderr).toMatch(/This Node has no WebAssembly, with which answers are read\. Nothing was sent/);
  expect(stderr).toContain('Run it without --jitless, which may stand in NODE_OPTIONS or behind node.');
});
