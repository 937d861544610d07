/**
 * The load of the sandbox's bench, as a process of its own: bare sockets, kept alive, one request under way on each,
 * its bytes made beforehand. With an HTTP client, the client would be measured: Node's own takes longer for a request
 * than some of the servers take to answer.
 *
 *   node bench/load.ts < order.json     prints a number: answers per second
 */
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Ends early, after this many answers. */
  readonly answers?: number;
  /** Whole requests, taken in turn. */
  readonly requests: readonly string[];
}

/**
 * Runs the load. Resolves with the complete answers per second, all of them 2xx. Throws for another answer, and for a
 * connection that ended.
 */
async function load({
  port,
  connections,
  seconds,
  requests,
  answers: most = Number.POSITIVE_INFINITY,
}: LoadOptions): Promise<number> {
  const bytes = requests.map((request) => Buffer.from(request));
  let sent = 0;
  let answers = 0;
  let until = Number.POSITIVE_INFINITY;
  const drive = ({ socket, listen }: Connection) =>
    new Promise<void>((resolve, reject) => {
      let open = true;
      const send = () => void socket.write(bytes[sent++ % bytes.length] ?? '');
      const read = answerReader((status) => {
        if (status < 200 || status > 299) throw new Error(`port ${port} answered ${status}`);
        answers += 1;
        if (answers + connections <= most && performance.now() < until) return send();
        open = false;
        socket.destroy();
        resolve();
      });
      listen((chunk) => {
        try {
          read(chunk);
        } catch (error) {
          socket.destroy();
          reject(error as Error);
        }
      });
      socket.on('error', reject);
      socket.on('close', () => open && reject(new Error(`port ${port} closed a connection`)));
      send();
    });
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const begun = performance.now();
  until = begun + seconds * 1_000;
  await Promise.all(sockets.map(drive));
  return answers / ((performance.now() - begun) / 1_000);
}

interface Connection {
  readonly socket: Socket;
  /** Hands over each chunk at once. The next one, on any connection, overwrites it. */
  listen(take: (chunk: Buffer) => void): void;
}

/** Everything is read into one piece of memory: a new one for each chunk cost more than the rest of a 32 KB answer. */
const memory = Buffer.allocUnsafeSlow(256 * 1024);

const open = (port: number) =>
  new Promise<Connection>((resolve, reject) => {
    let take = (_: Buffer) => {};
    const callback = (length: number) => {
      take(memory.subarray(0, length));
      return true;
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: memory, callback } });
    const listen = (given: typeof take) => {
      take = given;
    };
    socket.once('connect', () => resolve({ socket, listen })).once('error', reject);
  });

/** Calls `whole` for each whole answer, whether its body has a length or comes in chunks. */
function answerReader(whole: (status: number) => void): (chunk: Buffer) => void {
  let head = '';
  let status = 0;
  /** Bytes of the body still to come; null while the head is being read, NaN for a chunked body. */
  let missing: number | null = null;
  let tail = '';
  const end = () => {
    head = '';
    tail = '';
    missing = null;
    whole(status);
  };
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: its time is taken from what it measures.
  return (chunk) => {
    let at = 0;
    if (missing === null) {
      const before = head.length;
      head += chunk.toString('latin1', 0, 2_048);
      const stop = head.indexOf('\r\n\r\n');
      if (stop < 0) return;
      at = stop + 4 - before;
      status = Number(head.slice(9, 12));
      const told = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, stop + 2));
      missing = told === null ? (status === 204 ? 0 : Number.NaN) : Number(told[1]);
    }
    if (Number.isNaN(missing)) {
      tail = (tail + chunk.toString('latin1', Math.max(at, chunk.length - 7))).slice(-7);
      if (tail === '\r\n0\r\n\r\n' || tail.endsWith('\n0\r\n\r\n')) end();
      return;
    }
    missing -= chunk.length - at;
    if (missing === 0) end();
    else if (missing < 0) throw new Error('an answer is longer than it says');
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const order = JSON.parse(await text(process.stdin)) as LoadOptions;
  process.stdout.write(`${JSON.stringify(await load(order))}\n`);
}
