import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { run } from '../support/run.ts';
import { clientOf } from './client-of.ts';

const file = (name: string) => new URL(`../support/tls/${name}`, import.meta.url);

/** The charge behind TLS with a certificate that no authority signed, over whichever HTTP the client prefers. */
async function tlsServer() {
  const keys: unknown[] = [];
  const spoken: string[] = [];
  const sockets = new Set<Socket>();
  const server = createSecureServer(
    {
      key: readFileSync(file('untrusted.key')),
      cert: readFileSync(file('untrusted.pem')),
      allowHTTP1: true,
    },
    (request, response) => {
      keys.push(request.headers.authorization);
      spoken.push(`${request.method} ${request.httpVersion}`);
      response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(success(someCharge)));
    },
  );
  server.on('tlsClientError', () => {});
  server.on('connection', (socket: Socket) => sockets.add(socket));
  const port = await listenOnLoopback(server);
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return {
    url: `https://localhost:${port}`,
    keys,
    spoken,
    [Symbol.asyncDispose]: close,
  };
}

/** A proxy that knows CONNECT, and keeps every byte that it could read. */
async function proxyServer() {
  let seen = '';
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      seen += head.toString('latin1');
      const port = Number(/^CONNECT [^:]+:(\d+)/.exec(head.toString('latin1'))?.[1] ?? 0);
      if (port === 0) {
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
        return;
      }
      const far = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.on('data', (chunk) => {
          seen += chunk.toString('latin1');
        });
        socket.pipe(far).pipe(socket);
      });
      far.on('error', () => socket.destroy());
    });
  });
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    seen: () => seen,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

const charge = { query: { id: 'chg_1' } };

describe('TLS', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is verified, and no variable turns that off', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    await using server = await tlsServer();
    const api = clientOf(server.url);
    await expect(api.call('getCharge', charge)).rejects.toMatchObject({
      kind: 'later',
      message: expect.stringMatching(/certificate.*Nothing was sent/),
    });
    await expect(api.call('refundCharge', charge)).rejects.toMatchObject({ kind: 'later' });
    expect(server.keys).toEqual([]);
    await api.close();
  });

  it('accepts an authority that the machine was told to trust', async () => {
    await using server = await tlsServer();
    const { code, stdout } = await run(['charge', 'get', 'chg_1', '-o', 'json'], {
      env: {
        PIXCTL_BASE_URL: server.url,
        PIXCTL_API_KEY: 'svc_canary',
        NODE_EXTRA_CA_CERTS: fileURLToPath(file('untrusted.pem')),
      },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${JSON.stringify(someCharge)}\n` });
  });
});

describe('HTTP/2, over which undici sends a refused POST again by itself', () => {
  it.each(['straight', 'through a proxy'])('is not spoken with a server that offers it: %s', async (way) => {
    await using server = await tlsServer();
    await using proxy = await proxyServer();
    const env = {
      PIXCTL_BASE_URL: server.url,
      PIXCTL_API_KEY: 'svc_canary',
      NODE_EXTRA_CA_CERTS: fileURLToPath(file('untrusted.pem')),
      ...(way === 'straight' ? {} : { HTTPS_PROXY: proxy.url }),
    };
    await run(['charge', 'get', 'chg_1'], { env });
    await run(['charge', 'create', '--amount', '500', '--no-qr'], { env });
    expect(server.spoken).toEqual(['GET 1.1', 'POST 1.1']);
    expect(proxy.seen() !== '').toBe(way !== 'straight');
  });
});

describe('a proxy', () => {
  it('carries https in a tunnel, verified, and never reads the key', async () => {
    await using server = await tlsServer();
    await using proxy = await proxyServer();
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_canary', HTTPS_PROXY: proxy.url };
    const refused = await run(['charge', 'get', 'chg_1'], { env });
    expect(refused.code).toBe(75);
    expect(refused.stderr).toContain('certificate');
    const trusting = { ...env, NODE_EXTRA_CA_CERTS: fileURLToPath(file('untrusted.pem')) };
    expect((await run(['charge', 'get', 'chg_1'], { env: trusting })).code).toBe(0);
    expect(proxy.seen()).toContain('CONNECT localhost:');
    expect(proxy.seen()).not.toContain('svc_canary');
    expect(server.keys).toEqual(['Bearer svc_canary']);
  });

  it('is passed by for what NO_PROXY names', async () => {
    await using server = await tlsServer();
    await using proxy = await proxyServer();
    for (const names of [{ NO_PROXY: 'localhost' }, { NO_PROXY: 'localhost', no_proxy: '' }]) {
      const environment = { HTTPS_PROXY: proxy.url, ...names };
      const api = clientOf(server.url, { environment });
      await expect(api.call('getCharge', charge)).rejects.toMatchObject({ kind: 'later' });
      expect(proxy.seen()).toBe('');
      await api.close();
    }
  });

  it('never sees plain http, which carries the key in the open', async () => {
    await using server = await hostileServer((response) => json(response, 200, success(someCharge)));
    await using proxy = await proxyServer();
    const environment = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, http_proxy: proxy.url };
    const api = clientOf(server.url, { environment });
    expect((await api.call('getCharge', charge)).id).toBe('chg_1');
    expect(proxy.seen()).toBe('');
    await api.close();
  });

  it.each(['localhost:3128', 'proxy', 'socks5://user:secret@127.0.0.1:1', ':::'])(
    'that %j does not name is reported by its variable, and not tried again',
    async (HTTPS_PROXY) => {
      const env = { PIXCTL_BASE_URL: 'https://localhost:1', PIXCTL_API_KEY: 'svc_canary', HTTPS_PROXY };
      for (const words of [
        ['charge', 'get', 'chg_1'],
        ['charge', 'create', '--amount', '1050'],
      ]) {
        const { code, stderr } = await run([...words, '--debug', '-q'], { env });
        expect({ code, tries: stderr.split('\n> ').length }).toEqual({ code: 78, tries: 1 });
        expect(stderr).toContain(
          'HTTPS_PROXY is not the address of an http or https proxy. Nothing was sent.\n  Write it as HTTPS_PROXY=http://',
        );
        expect(stderr).not.toMatch(/Warning|InvalidArgumentError|user:secret/);
      }
    },
  );

  it('whose password has a % of its own is told so, and not tried again', async () => {
    const environment = { HTTPS_PROXY: 'http://user:100%secret@127.0.0.1:1' };
    const api = clientOf('https://localhost:1', { environment });
    await expect(api.call('refundCharge', charge)).rejects.toMatchObject({
      kind: 'config',
      message:
        'The user name or password in HTTPS_PROXY has a % that is not part of a percent code. Nothing was sent.',
    });
    await api.close();
  });

  it('that cannot be reached is named in what to check', async () => {
    const env = { PIXCTL_BASE_URL: 'https://localhost:1', PIXCTL_API_KEY: 'svc_canary' };
    const proxied = { ...env, HTTPS_PROXY: 'http://127.0.0.1:1' };
    const create = ['charge', 'create', '--amount', '1050'];
    expect((await run(create, { env: proxied })).stderr).toContain(
      'Check the address https://localhost:1, the proxy that HTTPS_PROXY names, and the network',
    );
    expect((await run(create, { env })).stderr).toContain(
      'Check the address https://localhost:1 and the network',
    );
  });

  it('that refuses the tunnel means that nothing was sent', async () => {
    await using proxy = await hostileServer(() => {});
    const api = clientOf('https://localhost:1', {
      apiKey: async () => 'svc_x',
      environment: { HTTPS_PROXY: proxy.url },
    });
    await expect(api.call('refundCharge', charge)).rejects.toMatchObject({
      kind: 'later',
      message: expect.stringContaining('Nothing was sent'),
    });
    await api.close();
  });
});
