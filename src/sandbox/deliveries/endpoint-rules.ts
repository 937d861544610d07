/** Decides what may be registered as a webhook endpoint (document: "POST /webhooks"). Pure. */
import { eventNameForm, isEventName } from '../../contract/event-names.ts';
import { isLoopback } from '../../contract/loopback.ts';
import { isDecodable } from '../../contract/percent.ts';
import { isPrivateHost } from '../../contract/private-host.ts';

/**
 * Returns what is wrong with the URL; null if it may be registered.
 * @param takesPlain whether plain http is allowed to that host, a liberty of the sandbox
 */
export function judgeUrl(text: string, takesPlain: (hostname: string) => boolean): string | null {
  const hasForm = absoluteUrl.test(text);
  const url = hasForm ? URL.parse(text) : null;
  if (url === null)
    return !hasForm && absoluteUrl.test(text.replace(/[\s\p{Cc}\\]/gu, ''))
      ? 'must be an absolute HTTPS URL without blanks, line ends and backslashes'
      : 'must be an absolute HTTPS URL';
  // No request can be made to it.
  if (![url.username, url.password].every(isDecodable))
    return 'must have % only in front of two hexadecimal digits, and UTF-8 in them';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && takesPlain(url.hostname))) return null;
  return url.protocol === 'http:' && !isLoopback(url.hostname)
    ? 'must be an HTTPS URL; a sandbox takes plain http only to 127.0.0.1, ::1 and localhost, and to private names and addresses if it was started with --assume webhook-plain-http=private'
    : 'must be an HTTPS URL';
}

/**
 * The parser mends what is no URL: a line end behind it (from a file or a variable), backslashes, too few or too many
 * slashes. The service may well refuse it.
 */
const absoluteUrl = /^[a-z][a-z\d+.-]*:\/\/[^\s\p{Cc}\\/?#][^\s\p{Cc}\\]*$/iu;

/** Whether a choice of assumption `webhook-plain-http` allows plain http to that host. */
export const isPlainHost = (hostname: string, choice: string): boolean =>
  choice !== 'refuse' && (isLoopback(hostname) || (choice === 'private' && isPrivateHost(hostname)));

export function hasCredentials(text: string): boolean {
  const { username = '', password = '' } = URL.parse(text) ?? {};
  return username !== '' || password !== '';
}

export function withoutCredentials(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * Returns what is wrong with the event names; null if they may be subscribed to.
 * @param eighth whether an undocumented name of the same form is allowed: seven names are shown and eight may be given
 * (assumption `eighth-event`)
 */
export function judgeEvents(names: readonly string[], eighth: boolean): string | null {
  const wrong = unknownEvents(names).find((name) => !eighth || !eventNameForm.test(name));
  return wrong === undefined ? null : `${JSON.stringify(wrong.slice(0, 80))} is not an event name`;
}

export const unknownEvents = (names: readonly string[]): string[] =>
  names.filter((name) => !isEventName(name));
