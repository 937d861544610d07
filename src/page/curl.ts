/** A request as a shell command. It never contains the API key, which appears as an environment variable. */

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  /** Whether it carries `Authorization: Bearer "$PIXCTL_API_KEY"`. */
  readonly keyed: boolean;
}

export function formatCurl({ method, url, headers, body, keyed }: CurlRequest): string {
  const parts = ['curl', ...globOff(url), ...(method === 'GET' ? [] : ['-X', method]), shellQuote(url)];
  if (keyed) parts.push('-H "Authorization: Bearer $PIXCTL_API_KEY"');
  for (const [name, value] of headers) parts.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  if (body !== null) parts.push(`--data-raw ${shellQuote(body)}`);
  return parts.join(' ');
}

/** To curl, `[1-3]` and `{a,b}` in an address are several addresses: it would send more than one request. */
const globOff = (url: string): string[] => (/[[\]{}]/.test(url) ? ['-g'] : []);

/** One word for a POSIX shell, whatever it contains. */
export const shellQuote = (text: string): string =>
  /^[A-Za-z0-9_./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
