/**
 * Reads the answers that nearly every server gives: final, HTTP/1.1, with a length (RFC 9112). It accepts none that
 * `node:http` would read differently; whatever it does not know is left to `node:http`.
 */
import { blank, headLimit, token, visible } from './head.ts';

export interface PlainAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** How many of the bytes belong to it. */
  readonly end: number;
  /** How long the server keeps the connection, in milliseconds; 0: not at all; null: it does not say. */
  readonly keptMs: number | null;
}

/** Reads the answer to a POST. `more`: the head is complete, but some of the body is missing. `other`: not for us. */
export function readPlainAnswer(bytes: Buffer, bodyLimit: number): PlainAnswer | 'more' | 'other' {
  const stop = bytes.indexOf(blank);
  if (stop < 0 || stop > headLimit) return 'other';
  const lines = bytes.toString('latin1', 0, stop).split('\r\n');
  const status = Number(statusLine.exec(lines[0] ?? '')?.[1] ?? 0);
  const said = status === 0 ? null : readFields(lines);
  if (said === null) return 'other';
  const bodiless = status === 204 || status === 304;
  const length = Number(said['content-length'] ?? (bodiless ? 0 : Number.NaN));
  if (!(length <= (bodiless ? 0 : bodyLimit))) return 'other';
  const end = stop + blank.length + length;
  if (end > bytes.length) return 'more';
  return { status, body: bytes.subarray(stop + blank.length, end), end, keptMs: keptMs(said) };
}

const statusLine = /^HTTP\/1\.1 ([2-5]\d\d) [\t\x20-\x7e]*$/;

/** Null if fields are malformed, come twice, or make the answer an unusual one. */
function readFields(lines: readonly string[]): Partial<Record<Meant, string>> | null {
  const said: Partial<Record<Meant, string>> = {};
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!token.test(name) || !visible.test(line)) return null;
    const lower = name.toLowerCase();
    if (unusual.has(lower)) return null;
    if (!isMeant(lower)) continue;
    if (said[lower] !== undefined) return null;
    said[lower] = line
      .slice(colon + 1)
      .trim()
      .toLowerCase();
  }
  if (!/^(?:\d{1,7})$/.test(said['content-length'] ?? '0')) return null;
  return /^(?:keep-alive|close)$/.test(said.connection ?? 'close') ? said : null;
}

function keptMs(said: Partial<Record<Meant, string>>): number | null {
  if (said.connection === 'close') return 0;
  const seconds = /^timeout=(\d{1,6})\b/.exec(said['keep-alive'] ?? '')?.[1];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

const meant = ['content-length', 'connection', 'keep-alive'] as const;
type Meant = (typeof meant)[number];
const isMeant = (name: string): name is Meant => meant.includes(name as Meant);
const unusual = new Set(['transfer-encoding', 'upgrade', 'proxy-connection', 'trailer']);
