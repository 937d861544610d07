/** A request as a shell command. It never contains the API key, which appears as an environment variable. */

interface CurlRequest {
  readonly method: string;
  readonly url: string;
  /** The request target if it is no path (`*`, `host:port`): behind an origin, it could lead to another host. */
  readonly target?: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  /** Whether it carries `Authorization: Bearer "$PIXCTL_API_KEY"`. */
  readonly keyed: boolean;
}

export function formatCurl({ method, url, target, headers, body, keyed }: CurlRequest): string {
  const targetFlag = target === undefined ? [] : ['--request-target', shellQuote(target)];
  const parts = [
    'curl',
    ...globOff(url),
    ...targetFlag,
    ...(method === 'GET' ? [] : ['-X', method]),
    shellQuote(url),
  ];
  if (keyed) parts.push('-H "Authorization: Bearer $PIXCTL_API_KEY"');
  for (const [name, value] of headers) parts.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  if (body !== null) parts.push(`--data-raw ${shellQuote(body)}`);
  return parts.join(' ');
}

/** To curl, `[1-3]` and `{a,b}` in an address are several addresses: it would send more than one request. */
const globOff = (url: string): string[] => (/[[\]{}]/.test(url) ? ['-g'] : []);

/**
 * One word for a POSIX shell, whatever it contains. Control characters are written as escapes: pasted as they are, they
 * could end the paste (ESC [201~) or the line (Ctrl-C), and a terminal would run what follows.
 */
export const shellQuote = (text: string): string => {
  if (/^[A-Za-z0-9_./:=@,+-]+$/.test(text)) return text;
  if (text.search(control) < 0) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${text.replace(/['\\]/g, '\\$&').replace(control, inOctal)}'`;
};

/** All but line feed and tab, which are harmless between quotes. */
const control = /(?![\n\t])\p{Cc}/gu;
const utf8 = new TextEncoder();
const inOctal = (character: string): string =>
  Array.from(utf8.encode(character), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
