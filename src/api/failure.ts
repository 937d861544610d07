/** Why an exchange failed, in words for people. */
import { GivenUp } from './transport.ts';

/** A short reason, without the address: it continues a sentence. */
export function lostWords(cause: unknown): string {
  const code = String((cause as { code?: unknown } | null)?.code ?? '');
  if (/CERT|SELF_SIGNED|VERIFY|ERR_TLS|ERR_SSL/.test(code))
    return `its TLS certificate or handshake failed (${code})`;
  return words[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`);
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its name does not resolve',
  EAI_AGAIN: 'its name does not resolve at the moment',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_PRX_TLS: 'the TLS handshake with the proxy failed',
  UND_ERR_PRX_CONN: 'the proxy closed the connection',
  UND_ERR_ABORTED: 'the proxy refused the connection',
  DEADLINE: 'the time was up',
  ABORTED: 'it was interrupted',
  TOO_LARGE: 'the answer was too large',
  STARTED_TWICE: 'the connection was closed',
};

/** Which ending an exchange that was aborted from this side deserves; null when it was not. */
export function wasInterrupted(cause: unknown): 'interrupted' | 'terminated' | null {
  if (!(cause instanceof GivenUp) || cause.code !== 'ABORTED') return null;
  const { cause: reason } = cause;
  const text = reason instanceof Error ? `${reason.name} ${reason.message}` : String(reason);
  return text.includes('SIGTERM') ? 'terminated' : 'interrupted';
}
