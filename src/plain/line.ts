/**
 * One kept connection to a server, one exchange at a time. An answer that is plain is read here; with the first
 * that is not, the connection goes to whoever asked, because the request has been sent.
 */
import { connect, type Socket } from 'node:net';
import { type PlainAnswer, readPlainAnswer } from './read-answer.ts';

export interface LineOptions {
  readonly host: string;
  readonly port: number;
  /** Milliseconds that it is kept unused, unless the server says less. */
  readonly idleMs: number;
  /** Bytes of a body; larger ones are not plain. */
  readonly answerLimit: number;
}

/** Exactly one of these is called, and none once the exchange was left. */
export interface AnswerHandler {
  answer(answer: PlainAnswer): void;
  /** Not plain: reading goes on at `unread`, on a connection that is nobody else's from now on. */
  other(socket: Socket, unread: Buffer): void;
  lost(cause: unknown, how: Lost): void;
}

export interface Lost {
  /** Some of an answer had come. */
  readonly begun: boolean;
  /** The connection had been used before: the server may have closed it before it got this. */
  readonly kept: boolean;
}

export interface Line {
  /** Whether there has been a connection. */
  readonly connected: boolean;
  /** Whether some of an answer has come, and not all. */
  readonly begun: boolean;
  ask(request: Buffer, handler: AnswerHandler): void;
  /** Ends it, and tells nobody of what was under way. */
  leave(): void;
  /** Ends it: what was under way is lost. */
  end(): void;
}

export interface LineWatch {
  /** It can take an exchange. */
  free(line: Line): void;
  /** It never will again. */
  gone(line: Line): void;
}

/** How much sooner than the server we give up an unused connection: a request may be on its way. */
const marginMs = 1_000;

export function openLine({ host, port, idleMs, answerLimit }: LineOptions, watch: LineWatch): Line {
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
    // What was not asked for would be taken for the next answer; what is not sent yet is no longer wanted.
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
  const line: Line = {
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

/** As `node:http` calls it. */
export const closed = (): Error =>
  Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
