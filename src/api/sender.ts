/** Sends one request with key and headers, tells `--debug` of it, and asks again where that is safe. */
import type { Clock } from '../clock.ts';
import type { Exchange, OutgoingRequest, Send } from './exchange.ts';
import { maskKey } from './mask-key.ts';
import type { Remedies } from './remedies.ts';
import { type RetryPolicy, readPolicy, retrying } from './retry.ts';
import { keyFor, pathBelow, type Target } from './target.ts';
import { traceExchange, traceRequest } from './trace.ts';
import type { Transport, WireRequest } from './transport.ts';

export interface SenderOptions {
  /** The key bound to that origin, or null; asked for once, at the first request. */
  readonly apiKey: () => Promise<string | null>;
  readonly clock: Clock;
  /** Aborts every call; its reason tells SIGINT from SIGTERM. */
  readonly signal?: AbortSignal;
  /** Takes the lines of `--debug`, already redacted. */
  readonly trace?: (line: string) => void;
  /** Origins known to be sandboxes: no real key goes there. */
  readonly sandboxOrigins?: readonly string[];
  /** `pixctl/1.2.3`. */
  readonly userAgent?: string;
  readonly retry?: Partial<RetryPolicy>;
  /** `--dry-run`: whatever is not a GET is an error, and never leaves. */
  readonly readsOnly?: boolean;
  /** Runs just before the first byte of whatever is not a GET. Must not throw. */
  readonly leaving?: () => void;
}

export interface Sender {
  /** Once. */
  readonly send: Send;
  /** A GET again, where that may help and its next try begins within the time; whatever is no GET once. */
  sendSafely(request: OutgoingRequest, withinMs?: number): Promise<Exchange>;
}

/** `target` has been judged: the key goes nowhere else. */
export function createSender(
  options: SenderOptions,
  { target, transport, remedies }: { target: Target; transport: Transport; remedies: Remedies },
): Sender {
  const { clock } = options;
  const policy = { ...readPolicy, ...options.retry };
  let key: Promise<string> | undefined;
  const signalOf = ({ signal, uninterrupted }: OutgoingRequest) =>
    uninterrupted === true ? signal : join(signal, options.signal);

  const wire = async (request: OutgoingRequest): Promise<WireRequest> => {
    key ??= options.apiKey().then((found) => keyFor(target, found, options.sandboxOrigins, remedies));
    return {
      ...request,
      path: pathBelow(target, request.path),
      signal: signalOf(request),
      beforeFirstByte: () => {
        request.beforeFirstByte?.();
        if (request.method !== 'GET') options.leaving?.();
      },
      headers: {
        authorization: `Bearer ${await key}`,
        accept: 'application/json',
        // Without it any coding would do, and what is compressed is not read here.
        'accept-encoding': 'identity',
        'user-agent': options.userAgent ?? 'pixctl',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    };
  };

  const send: Send = async (request) => {
    if (options.readsOnly === true && request.method !== 'GET')
      throw new Error(`a dry run was about to send ${request.method} ${request.path}; nothing was sent`);
    let outgoing: WireRequest;
    try {
      outgoing = await wire(request);
    } catch (cause) {
      return { kind: 'not-sent', started: false, cause };
    }
    options.trace?.(traceRequest(target.origin, outgoing));
    const begun = clock.monotonic();
    const exchange = maskKey(await transport.exchange(outgoing), (await key) ?? '');
    options.trace?.(traceExchange(exchange, clock.monotonic() - begun));
    return exchange;
  };

  const sendSafely: Sender['sendSafely'] = (request, withinMs) =>
    request.method === 'GET'
      ? retrying(() => send(request), clock, policy, {
          signal: signalOf(request),
          withinMs,
        })
      : send(request);

  return { send, sendSafely };
}

/** Aborts with either. */
export const join = (
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined =>
  one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
