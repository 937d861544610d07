/** Answers a request that was read by this room with a text. */
import { type Headers, hasBody, writeHead } from './answer.ts';
import type { ServerExchange } from './connection.ts';

/** Answers once, without the text if the status allows none; silent if the client is gone. */
export function answerText(exchange: ServerExchange, status: number, headers: Headers, text: string): void {
  if (!exchange.isOpen()) return;
  const body = hasBody(status) ? text : null;
  const length = body === null ? null : Buffer.byteLength(body);
  const keptFor = exchange.keepAliveSeconds();
  const head = writeHead({ status, headers, length, keepAliveSeconds: keptFor, now: exchange.now() });
  exchange.socket.write(head + (body ?? ''), length === body?.length ? 'latin1' : 'utf8');
  exchange.finish(keptFor);
}
