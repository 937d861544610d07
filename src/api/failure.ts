/** Why an exchange failed, in words for people. */
import { type CertificateFault, certificateFaultOf, ownAuthority } from '../errors/certificates.ts';
import { kindForSignal } from '../errors.ts';
import { GiveUpError } from './open-exchange.ts';

/** A short reason that continues a sentence, without the address. */
export function describeFailure(cause: unknown): string {
  const { code, name, message } = factsOf(cause);
  const refused = certificateFaultOf(code);
  if (refused !== null) return `its TLS certificate ${refused.is} (${code})`;
  if (noTls.has(code)) return `what answers there does not speak TLS (${code})`;
  if (/CERT|SELF_SIGNED|VERIFY|ERR_TLS|ERR_SSL/.test(code))
    return `its TLS certificate or handshake failed (${code})`;
  if (name === 'HTTPParserError') return 'the answer is not HTTP/1.1';
  if (code === 'UND_ERR_SOCKET' && oddAnswers[message] !== undefined) return oddAnswers[message];
  if (code === 'UND_ERR_ABORTED') return proxyWords(message);
  return words[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`);
}

/** What a user can do about `cause`; null if all that can be said is to check the network and the address. */
export function remedyFor(cause: unknown): string | null {
  const { code, message } = factsOf(cause);
  if (code === 'UND_ERR_ABORTED' && /\(407\)/.test(message))
    return 'Give the proxy its user and password: HTTPS_PROXY=http://<user>:<password>@<proxy>:<port>';
  if (noTls.has(code))
    return 'Check the port. A plain http server on this machine has an address with http://';
  const refused = certificateFaultOf(code);
  return refused && remedies[refused.what];
}

/** Plain text came, such as an http server's answer, where a handshake should have begun. */
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

const remedies: Readonly<Record<CertificateFault['what'], string>> = {
  time: 'Check the clock of this machine; if it is right, the service must renew its certificate.',
  'other-name': 'Check the address: the server there identifies itself by another name.',
  stranger: `If your own network or proxy signs certificates itself, name the file of its authority: ${ownAuthority}. Otherwise do not trust this server.`,
};

/** Answers after which undici stops reading, keyed by the message of its error. */
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
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit',
  UND_ERR_PRX_TLS: 'the TLS handshake with the proxy failed',
  UND_ERR_PRX_CONN: 'the proxy closed the connection',
  DEADLINE: 'the time limit was reached',
  ABORTED: 'it was interrupted',
  TOO_LARGE: 'the answer was too large',
  STARTED_TWICE: 'the connection was closed',
};

/** The kind of error for an exchange that this side aborted; null if it did not. */
export function interruptionKind(cause: unknown): 'interrupted' | 'terminated' | null {
  if (!(cause instanceof GiveUpError) || cause.code !== 'ABORTED') return null;
  const { cause: reason } = cause;
  const text = reason instanceof Error ? `${reason.name} ${reason.message}` : String(reason);
  return kindForSignal(/SIG[A-Z]+/.exec(text)?.[0]);
}
