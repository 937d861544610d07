/**
 * TLS before a plain address, whose handshakes can be held: between its durable row and its first byte a
 * sender then stands still for as long as a test likes.
 */
import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { listenOnLoopback } from './listen-on-loopback.ts';

const file = (name: string) => fileURLToPath(new URL(`tls/${name}`, import.meta.url));

export interface SlowHandshake extends AsyncDisposable {
  readonly url: string;
  /** What the program needs in its environment to trust the certificate. */
  readonly env: Readonly<Record<string, string>>;
  /** Holds the next fresh connection after `passing` more; resolves once it is there. */
  hold(passing: number): Promise<void>;
  /** Lets the held one go on. */
  release(): void;
}

export async function slowHandshake(target: string): Promise<SlowHandshake> {
  const { port } = new URL(target);
  const secured = createTlsServer(
    { key: readFileSync(file('untrusted.key')), cert: readFileSync(file('untrusted.pem')) },
    (socket) => {
      const far = connect(Number(port), '127.0.0.1');
      socket.on('error', () => far.destroy());
      far.on('error', () => socket.destroy());
      socket.pipe(far).pipe(socket);
    },
  );
  secured.on('tlsClientError', () => {});
  const sockets = new Set<Socket>();
  let passing = Number.POSITIVE_INFINITY;
  let arrived = () => {};
  let held: Socket | null = null;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (passing-- !== 0) return void secured.emit('connection', socket);
    held = socket.pause();
    arrived();
  });
  return {
    url: `https://localhost:${await listenOnLoopback(server)}`,
    env: { NODE_EXTRA_CA_CERTS: file('untrusted.pem') },
    hold(count) {
      passing = count;
      return new Promise((resolve) => {
        arrived = resolve;
      });
    },
    release() {
      if (held !== null) secured.emit('connection', held);
      held = null;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
