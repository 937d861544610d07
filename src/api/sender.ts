/** Sends one request with key and headers, traces it for `--debug`, and repeats it if that is safe. */
import type { Clock } from '../clock.ts';
import type { Exchange, OutgoingRequest, Send } from './exchange.ts';
import { maskKey } from './mask-key.ts';
import type { Remedies } from './remedies.ts';
import { type RetryPolicy, readPolicy, withRetries } from './retry.ts';
import { keyFor, pathBelow, type Target } from './target.ts';
import { traceExchange, traceRequest } from './trace.ts';
import type { Transport, WireRequest } from './transport.ts';

export interface SenderOptions {
  /** The key bound to that origin, or null; fetched once, at the first request. */
  readonly apiKey: () => Promise<string | null>;
  readonly clock: Clock;
  /** Aborts every call; its reason is the signal's name. */
  readonly signal?: AbortSignal;
  /** Receives the lines of `--debug`, already redacted. */
  readonly trace?: ((line: string) => void) | undefined;
  /** Origins known to be sandboxes: no real key goes there. */
  readonly sandboxOrigins?: readonly string[];
  /** `pixctl/1.2.3`. */
  readonly userAgent?: string;
  readonly retry?: Partial<RetryPolicy>;
  /** `--dry-run`: any request but a GET is an error, and never leaves. */
  readonly readsOnly?: boolean;
  /** Runs before any request but a GET; if it throws, nothing is sent. */
  readonly beforeSend?: () => void;
  /** Runs just before the first byte of any request but a GET. Must not throw. */
  readonly onFirstByte?: () => void;
}

interface Sender {
  /** Sends once. */
  readonly send: Send;
  /** Repeats a GET if that may help and the next try begins in time; sends anything else once. */
  sendSafely(request: OutgoingRequest, withinMs?: number): Promise<Exchange>;
}

/** `target` must have been checked: the key is sent nowhere else. */
export function createSender(
  options: SenderOptions,
  { target, transport, remedies }: { target: Target; transport: Transport; remedies: Remedies },
): Sender {
  const { clock } = options;
  const policy = { ...readPolicy, ...options.retry };
  let key: Promise<string> | undefined;
  const signalOf = ({ signal, uninterrupted }: OutgoingRequest) =>
    uninterrupted === true ? signal : joinSignals(signal, options.signal);

  const wire = async (request: OutgoingRequest): Promise<WireRequest> => {
    // Before the key is fetched: if this throws, nobody awaits the key, and its failure would count as unhandled.
    const path = pathBelow(target, request.path);
    key ??= options.apiKey().then((found) => keyFor(target, found, options.sandboxOrigins, remedies));
    return {
      ...request,
      path,
      signal: signalOf(request),
      beforeFirstByte: () => {
        request.beforeFirstByte?.();
        if (request.method !== 'GET') options.onFirstByte?.();
      },
      headers: {
        authorization: `Bearer ${await key}`,
        accept: 'application/json',
        // Without this header, the service might compress its answer, which is not decoded here.
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
      if (request.method !== 'GET') options.beforeSend?.();
      outgoing = await wire(request);
    } catch (cause) {
      return { kind: 'not-sent', cause };
    }
    options.trace?.(traceRequest(target.origin, outgoing));
    const begun = clock.monotonic();
    const exchange = maskKey(await transport.exchange(outgoing), (await key) ?? '');
    options.trace?.(traceExchange(exchange, clock.monotonic() - begun));
    return exchange;
  };

  const sendSafely: Sender['sendSafely'] = (request, withinMs) =>
    request.method === 'GET'
      ? withRetries(() => send(request), clock, policy, {
          signal: signalOf(request),
          withinMs,
        })
      : send(request);

  return { send, sendSafely };
}

/** A signal that aborts when either of the two does. */
export const joinSignals = (
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined =>
  one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
