/**
 * One kept connection to a server, with one exchange at a time. A plain answer is read here; with the first that is not
 * plain, the connection goes to the caller, because the request has already been sent.
 */
import { connect, type Socket } from 'node:net';
import { type PlainAnswer, readPlainAnswer } from './read-answer.ts';

export interface LineOptions {
  readonly host: string;
  readonly port: number;
  /** How long it is kept unused, in milliseconds, unless the server announces less. */
  readonly idleMs: number;
  /** In bytes; an answer with a larger body is not plain. */
  readonly answerLimit: number;
}

/** Exactly one of these is called; none, once the exchange was left. */
export interface AnswerHandler {
  answer(answer: PlainAnswer): void;
  /** The answer is not plain: reading goes on at `unread`, on a connection that is now the caller's alone. */
  other(socket: Socket, unread: Buffer): void;
  lost(cause: unknown, how: Lost): void;
}

interface Lost {
  /** Whether part of an answer had come. */
  readonly begun: boolean;
  /** Whether the connection had been used before: the server may have closed it before it got this request. */
  readonly kept: boolean;
}

export interface ClientConnection {
  /** Whether the connection was ever established. */
  readonly connected: boolean;
  /** Whether some of an answer has come, but not all. */
  readonly begun: boolean;
  ask(request: Buffer, handler: AnswerHandler): void;
  /** Ends it, without reporting what was under way. */
  leave(): void;
  /** Ends it, reporting what was under way as lost. */
  end(): void;
}

interface LineWatch {
  /** The line can take an exchange. */
  free(line: ClientConnection): void;
  /** The line will never take one again. */
  gone(line: ClientConnection): void;
}

/** How much earlier than the server we give up an unused connection, because a request may be on its way. */
const marginMs = 1_000;

/** Connects at once; an exchange may be asked for before the connection stands. */
export function openConnection(
  { host, port, idleMs, answerLimit }: LineOptions,
  watch: LineWatch,
): ClientConnection {
  const socket = connect({ host, port, noDelay: true });
  let handler: AnswerHandler | null = null;
  let unread: Buffer | null = null;
  let connected = false;
  let kept = false;

  const take = (chunk: Buffer) => {
    if (handler === null) return drop();
    unread = unread === null ? chunk : Buffer.concat([unread, chunk]);
    const answer = readPlainAnswer(unread, answerLimit);
    if (answer === 'more') return;
    const asker = handler;
    const bytes = unread;
    handler = null;
    unread = null;
    if (answer === 'other') {
      handOver();
      asker.other(socket, bytes);
    } else {
      keep(answer, bytes.length > answer.end);
      asker.answer(answer);
    }
  };
  const keep = ({ keptMs }: PlainAnswer, more: boolean) => {
    const ms = Math.min(idleMs, (keptMs ?? Number.POSITIVE_INFINITY) - marginMs);
    // Surplus bytes would be taken for the next answer; and what has not been sent yet is no longer wanted.
    if (more || ms <= 0 || socket.writableLength > 0) return drop();
    kept = true;
    if (socket.timeout !== ms) socket.setTimeout(ms);
    watch.free(line);
  };
  const drop = () => {
    watch.gone(line);
    socket.destroy();
  };
  const handOver = () => {
    socket.setTimeout(0);
    socket.off('data', take).off('end', ended).off('timeout', late).off('error', lose).off('close', close);
    socket.pause();
    watch.gone(line);
  };
  const lose = (cause: unknown) => {
    const asker = handler;
    handler = null;
    watch.gone(line);
    asker?.lost(cause, { begun: unread !== null, kept });
  };
  const ended = () => watch.gone(line);
  const late = () => {
    if (handler === null) drop();
  };
  const close = () => lose(closed());

  socket.setTimeout(idleMs);
  socket.once('connect', () => {
    connected = true;
  });
  socket.on('data', take).on('end', ended).on('timeout', late).on('error', lose).on('close', close);
  const line: ClientConnection = {
    get connected() {
      return connected;
    },
    get begun() {
      return unread !== null;
    },
    ask(request, asker) {
      handler = asker;
      socket.write(request);
    },
    leave() {
      handler = null;
      drop();
    },
    end: drop,
  };
  return line;
}

/** The same error as `node:http` gives. */
export const closed = (): Error =>
  Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
