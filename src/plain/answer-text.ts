/** Answers a request that was read by this room with a text. */
import { type Headers, hasBody, writeHead } from './answer.ts';
import type { Exchange } from './connection.ts';

/** Answers once, without the text if the status allows none; silent if the client is gone. */
export function answerText(exchange: Exchange, status: number, headers: Headers, text: string): void {
  if (!exchange.isOpen()) return;
  const body = hasBody(status) ? text : null;
  const length = body === null ? null : Buffer.byteLength(body);
  const keptFor = exchange.keptFor();
  const head = writeHead({ status, headers, length, keptFor, now: exchange.now() });
  exchange.socket.write(head + (body ?? ''), length === body?.length ? 'latin1' : 'utf8');
  exchange.answered(keptFor);
}
