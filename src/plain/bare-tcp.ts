/**
 * TCP as `node:net` itself uses it: loading that module and making its first connection takes Node 4 ms, a sixth of its
 * own start. Node calls this access deprecated (DEP0111) and promises nothing, so if any of it is missing, or is not as
 * expected here, there is still `node:net` (`reserved-port.ts`).
 */
import process from 'node:process';

export interface BareServer {
  onconnection: (status: number, client: BareClient | undefined) => void;
  bind(host: string, port: number): number;
  listen(backlog: number): number;
  getsockname(into: { port?: number }): number;
  close(done?: () => void): void;
}

export interface BareClient {
  onread: (bytes: ArrayBuffer | undefined) => void;
  readStart(): number;
  readStop(): number;
  setNoDelay(on: boolean): number;
  writeBuffer(request: WriteRequest, bytes: Uint8Array): number;
  close(): void;
  reset(): number;
}

interface WriteRequest {
  handle: BareClient;
  /** Kept alive as long as the write. */
  bytes: Uint8Array;
  oncomplete: (status: number) => void;
}

interface Binding {
  readonly TCP: new (kind: number) => BareServer;
  readonly constants: { readonly SERVER: number };
  readonly WriteWrap: new () => WriteRequest;
  readonly streamBaseState: ArrayLike<number>;
  readonly kReadBytesOrError: number;
  readonly kArrayBufferOffset: number;
  readonly kLastWriteWasAsync: number;
}

export interface BareTcp {
  /** Returns a server listening on that IPv4 address; null if it cannot be had. */
  listen(host: string, port: number): BareServer | null;
  /**
   * Reads once and stops. Calls `take` with the bytes, in memory of their own, or with null at the end and on an error.
   */
  readOnce(client: BareClient, take: (bytes: Buffer | null) => void): void;
  /** Calls `done` once the system has taken the bytes, or refused to. */
  write(client: BareClient, bytes: Uint8Array, done: (ok: boolean) => void): void;
}

/** Null if this Node has no such access. */
export function bareTcp(): BareTcp | null {
  const binding = load();
  if (binding === null) return null;
  const { TCP, constants, WriteWrap, streamBaseState } = binding;
  return {
    listen(host, port) {
      const server = new TCP(constants.SERVER);
      if (server.bind(host, port) === 0 && server.listen(backlog) === 0) return server;
      server.close();
      return null;
    },
    readOnce(client, take) {
      client.onread = (memory) => {
        const length = streamBaseState[binding.kReadBytesOrError] ?? -1;
        if (length === 0) return;
        client.readStop();
        const from = streamBaseState[binding.kArrayBufferOffset] ?? 0;
        take(memory === undefined || length < 0 ? null : Buffer.from(memory, from, length));
      };
      client.readStart();
    },
    write(client, bytes, done) {
      const request = Object.assign(new WriteWrap(), { handle: client, bytes, oncomplete });
      function oncomplete(status: number) {
        done(status === 0);
      }
      const status = client.writeBuffer(request, bytes);
      if (status !== 0 || streamBaseState[binding.kLastWriteWasAsync] === 0) done(status === 0);
    },
  };
}

/** As many as `node:net` allows to wait. */
export const backlog = 511;

/** Suppresses the deprecation warning, which users who have enabled those would get at each start. */
function load(): Binding | null {
  // Deno has all of it by name, but what is written through it never arrives: every request would wait for ever.
  if ('Deno' in globalThis) return null;
  const { emitWarning } = process;
  try {
    process.emitWarning = () => {};
    const { binding } = process as unknown as { binding(name: string): object };
    const found = { ...binding('tcp_wrap'), ...binding('stream_wrap') } as Binding;
    const numbers = [found.kReadBytesOrError, found.kArrayBufferOffset, found.kLastWriteWasAsync];
    const known = typeof found.TCP === 'function' && typeof found.WriteWrap === 'function';
    return known && numbers.every((at) => typeof found.streamBaseState[at] === 'number') ? found : null;
  } catch {
    return null;
  } finally {
    process.emitWarning = emitWarning;
  }
}
