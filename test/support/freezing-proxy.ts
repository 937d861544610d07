/** Stands before a server, and at a word passes nothing on any more, as a network does whose other end is gone. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './listen-on-loopback.ts';

export interface FreezingProxy extends AsyncDisposable {
  /** The address of the server, through the proxy. */
  readonly url: string;
  /** From now on nothing passes. Resolves once somebody has sent what should have. */
  freeze(): Promise<void>;
  /** What was held goes on. */
  thaw(): void;
}

/** `target`: a URL with a host and a port. */
export async function startFreezingProxy(target: string): Promise<FreezingProxy> {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  let held: (() => void)[] | null = null;
  let arrived = () => {};
  const pass = (to: Socket, bytes: Buffer) => {
    if (held === null) return to.write(bytes);
    held.push(() => to.write(bytes));
    return arrived();
  };
  const port = Number(url.port);
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => pass(other, bytes));
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  url.port = String(await listenOnLoopback(server));
  return {
    url: url.href,
    freeze() {
      held = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      arrived = resolve;
      return promise;
    },
    thaw() {
      const waiting = held ?? [];
      held = null;
      for (const go of waiting) go();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
