/** One attempt to deliver an event, as pages show it, whoever made it. Times in milliseconds since the epoch. */
import { isShallow } from '../contract/json-depth.ts';
import { escapeBidiMarks } from './bidi-marks.ts';
import type { Tone } from './detail.tsx';

export interface ShownAttempt {
  /** Unique on its page: `12.1`, delivery and number. */
  readonly key: string;
  readonly label: string;
  readonly startedAt: number;
  /** Null while it is under way. */
  readonly endedAt: number | null;
  /** How long the exchange really took, in milliseconds. */
  readonly durationMs: number | null;
  readonly tone: Tone;
  /** `200`, `no answer`. */
  readonly outcome: string;
  /** What became of it and why, in words. */
  readonly reason: string;
  readonly request: Message | null;
  /** `<t>.<raw body>`; null if nothing was newly signed, or if it is not known. */
  readonly signedText: string | null;
  readonly response: Message | null;
  readonly remarks: readonly string[];
}

export interface Message {
  /** `POST http://...`, `HTTP 200`. */
  readonly line: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export const messageText = ({ line, headers, body }: Message): string =>
  `${line}\n${headers.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${body}`;

/**
 * Indents JSON, and leaves any other text as it is. Works on the text, not on its value, which may have other numbers
 * (9007199254740993, 1.10, 1e400) and fewer fields: an edited copy begins with what is shown.
 */
export function prettyJson(text: string): string {
  try {
    return isShallow(JSON.parse(text)) ? indentJson(text) : text;
  } catch {
    return text;
  }
}

/**
 * Writes valid JSON on one line, without blanks between its parts; numbers, strings and names stay as they are written.
 */
export const compactJson = (json: string): string =>
  json.replace(jsonToken, (found) => (found.startsWith('"') ? found : found.replace(/\s+/g, '')));

/** Indents valid JSON. */
function indentJson(json: string): string {
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  return json.replace(jsonToken, (found) => {
    if (found.startsWith('"')) return escapeBidiMarks(JSON.stringify(JSON.parse(found)));
    if (found === ':') return ': ';
    if (found === ',') return `,${newLine()}`;
    if (found === '{' || found === '[') {
      depth += 1;
      return `${found}${newLine()}`;
    }
    if (found === '}' || found === ']') {
      depth -= 1;
      return `${newLine()}${found}`;
    }
    return found.replace(/\s+/g, '');
  });
}

/** Strings, empty objects and arrays, and what stands between values; numbers and names stay as they are. */
const jsonToken = /"[^"\\]*(?:\\.[^"\\]*)*"|[{[]\s*[}\]]|[{}[\],:]|\s+/g;
