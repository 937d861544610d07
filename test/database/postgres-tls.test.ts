/** TLS to a shared ledger, from the built program: what it holds decides whether money is sent. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { run } from '../support/run.ts';

const file = (name: string) => readFileSync(new URL(`../support/tls/${name}`, import.meta.url));

/** Willing to begin TLS, with a certificate that nobody was told to trust; `read` is what it was then told. */
async function stranger() {
  const secureContext = createSecureContext({ key: file('untrusted.key'), cert: file('untrusted.pem') });
  const read: string[] = [];
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write('S');
        const secured = new TLSSocket(socket, { isServer: true, secureContext });
        secured
          .on('error', () => {})
          .on('data', (bytes) => {
            read.push(bytes.toString('latin1'));
            secured.end();
          });
      });
  });
  const port = await listenOnLoopback(server);
  return { port, read, [Symbol.asyncDispose]: async () => void server.close() };
}

describe('the certificate of a shared ledger', () => {
  it.each(['sslmode=verify-full', 'sslmode=require', 'ssl=true'])(
    'is verified with %s, whatever NODE_TLS_REJECT_UNAUTHORIZED says',
    async (mode) => {
      await using server = await stranger();
      const words = ['withdraw', '--amount', '1050', '--to', 'a@example.com', '--type', 'EMAIL'];
      const { code, stderr } = await run([...words, '--idempotency-key', 'k', '--yes', '-o', 'json'], {
        env: {
          NODE_TLS_REJECT_UNAUTHORIZED: '0',
          PIXCTL_BASE_URL: 'http://127.0.0.1:1',
          PIXCTL_API_KEY: 'svc_canary',
          PIXCTL_LEDGER_URL: `postgres://someone:secret@localhost:${server.port}/pixctl?${mode}`,
        },
      });
      expect(server.read).toEqual([]);
      expect(code).toBe(74);
      expect(stderr).toMatch(/certificate.*nothing was sent/);
      // Node's own words, which would say that nothing is verified.
      expect(stderr).not.toContain('Warning');
    },
  );

  // By its other client, libpq: that has rules of its own for certificates, and tells no warning of a commit.
  it('is verified by this client, whatever NODE_PG_FORCE_NATIVE says', async () => {
    await using server = await stranger();
    const { code, stderr } = await run(['withdrawal', 'status', 'k', '-o', 'json'], {
      env: {
        NODE_PG_FORCE_NATIVE: '1',
        PIXCTL_BASE_URL: 'http://127.0.0.1:1',
        PIXCTL_API_KEY: 'svc_canary',
        PIXCTL_LEDGER_URL: `postgres://someone:secret@localhost:${server.port}/pixctl?sslmode=require`,
      },
    });
    expect(stderr).toMatch(/certificate/);
    expect(code).toBe(74);
  });
});
