/**
 * An exchange that is under way: whether a byte may have left, and the single fact with which it ends. It ends once: by
 * its answer, its failure, its deadline or an interrupt, whichever comes first.
 */
import type { Clock } from '../clock.ts';
import type { Exchange, OutgoingRequest, Reply } from './exchange.ts';

export interface OpenExchange {
  /** Resolves once, with the outcome. */
  readonly result: Promise<Exchange>;
  readonly isOver: boolean;
  /** A byte may leave as soon as this returns. If it throws, none reaches the wire. */
  start(controller: Abortable): void;
  answer(reply: Reply): void;
  fail(cause: unknown): void;
  /** Ends it from this side: as `lost`, if a byte may have left. */
  giveUp(why: GiveUpError): void;
}

interface Abortable {
  abort(reason: Error): void;
}

/** Why this side gave up on an exchange. Verdicts and retries depend on `code`, not on the class. */
export class GiveUpError extends Error {
  readonly code: 'DEADLINE' | 'ABORTED' | 'TOO_LARGE' | 'STARTED_TWICE';
  constructor(code: GiveUpError['code'], cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

type Bounds = Pick<OutgoingRequest, 'method' | 'timeoutMs' | 'signal' | 'beforeFirstByte'>;

/** Opens an exchange, which is over at once if the signal has already been given. */
export function openExchange(
  { method, timeoutMs, signal, beforeFirstByte }: Bounds,
  clock: Clock,
): OpenExchange {
  const { promise: result, resolve } = Promise.withResolvers<Exchange>();
  const over = new AbortController();
  let started = false;
  let isOver = false;
  let controller: Abortable | undefined;

  const end = (exchange: Exchange) => {
    if (isOver) return;
    isOver = true;
    // With our own reason, because the default one is an error with a stack.
    over.abort('settled');
    signal?.removeEventListener('abort', onAbort);
    resolve(exchange);
  };
  const fail = (cause: unknown) => end({ kind: started ? 'lost' : 'not-sent', cause });
  const giveUp = (why: GiveUpError) => {
    if (isOver) return;
    fail(why);
    controller?.abort(why);
  };
  // A request that may have had an effect is awaited to its end: giving up could only lose the answer.
  const onAbort = () => {
    if (!started || method === 'GET') giveUp(new GiveUpError('ABORTED', signal?.reason));
  };

  if (signal?.aborted) onAbort();
  else {
    signal?.addEventListener('abort', onAbort, { once: true });
    void clock.sleep(timeoutMs, over.signal).then(() => {
      // After a suspension, timers run before sockets are read: this reads an answer first that has come meanwhile.
      if (!isOver) setImmediate(() => giveUp(new GiveUpError('DEADLINE')));
    });
  }
  return {
    result,
    get isOver() {
      return isOver;
    },
    start(given) {
      // Refuses a start after the end, and undici's own second try.
      if (isOver) throw new GiveUpError('ABORTED');
      if (started) throw new GiveUpError('STARTED_TWICE');
      beforeFirstByte?.();
      started = true;
      controller = given;
    },
    answer(reply) {
      end({ kind: 'reply', reply });
    },
    fail,
    giveUp,
  };
}
