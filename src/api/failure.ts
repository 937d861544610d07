/** Why an exchange failed, in words for people. */
import { ownAuthority, type Refused, refusedCertificate } from '../errors/certificates.ts';
import { endedBy } from '../errors.ts';
import { GivenUp } from './open-exchange.ts';

/** A short reason, without the address: it continues a sentence. */
export function lostWords(cause: unknown): string {
  const { code, name, message } = factsOf(cause);
  const refused = refusedCertificate(code);
  if (refused !== null) return `its TLS certificate ${refused.is} (${code})`;
  if (noTls.has(code)) return `what answers there does not speak TLS (${code})`;
  if (/CERT|SELF_SIGNED|VERIFY|ERR_TLS|ERR_SSL/.test(code))
    return `its TLS certificate or handshake failed (${code})`;
  if (name === 'HTTPParserError') return 'the answer is not HTTP/1.1';
  if (code === 'UND_ERR_SOCKET' && oddAnswers[message] !== undefined) return oddAnswers[message];
  if (code === 'UND_ERR_ABORTED') return proxyWords(message);
  return words[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`);
}

/** What a user can do about `cause`; null if nothing but checking network and address is known. */
export function remedyFor(cause: unknown): string | null {
  const { code, message } = factsOf(cause);
  if (code === 'UND_ERR_ABORTED' && /\(407\)/.test(message))
    return 'Give the proxy its user and password: HTTPS_PROXY=http://<user>:<password>@<proxy>:<port>';
  if (noTls.has(code))
    return 'Check the port. A plain http server on this machine has an address with http://';
  const refused = refusedCertificate(code);
  return refused && remedies[refused.what];
}

/** An answer in plain text, such as that of an http server, where a handshake was to begin. */
const noTls: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
]);

const factsOf = (cause: unknown): { code: string; name: string; message: string } => {
  const { code, name, message } = (cause ?? {}) as { code?: unknown; name?: unknown; message?: unknown };
  return { code: String(code ?? ''), name: String(name ?? ''), message: String(message ?? '') };
};

/** undici gives the proxy's status only in the text of its message. */
const proxyWords = (message: string): string => {
  const [, status] = /\((\d{3})\)/.exec(message) ?? [];
  return `the proxy refused the connection${status === undefined ? '' : ` (${status})`}`;
};

const remedies: Readonly<Record<Refused['what'], string>> = {
  time: 'Check the clock of this machine; if it is right, the service must renew its certificate.',
  'other-name': 'Check the address: the server there identifies itself by another name.',
  stranger: `If your own network or proxy signs certificates itself, name the file of its authority: ${ownAuthority}. Otherwise do not trust this server.`,
};

/** Answers after which undici stops reading, by the message of its error. */
const oddAnswers: Readonly<Record<string, string>> = {
  'bad response': 'the server sent a 100 Continue that was not requested',
  'bad upgrade': 'the server switched to another protocol (101)',
};

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its name does not resolve',
  EAI_AGAIN: 'its name does not resolve at the moment',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  EMFILE: 'this process cannot open more files (EMFILE; see ulimit -n)',
  ENFILE: 'this machine cannot open more files (ENFILE)',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'no connection within the time limit',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit',
  UND_ERR_PRX_TLS: 'the TLS handshake with the proxy failed',
  UND_ERR_PRX_CONN: 'the proxy closed the connection',
  DEADLINE: 'the time limit was reached',
  ABORTED: 'it was interrupted',
  TOO_LARGE: 'the answer was too large',
  STARTED_TWICE: 'the connection was closed',
};

/** The kind of error for an exchange that was aborted from this side; null when it was not. */
export function wasInterrupted(cause: unknown): 'interrupted' | 'terminated' | null {
  if (!(cause instanceof GivenUp) || cause.code !== 'ABORTED') return null;
  const { cause: reason } = cause;
  const text = reason instanceof Error ? `${reason.name} ${reason.message}` : String(reason);
  return endedBy(/SIG[A-Z]+/.exec(text)?.[0]);
}
