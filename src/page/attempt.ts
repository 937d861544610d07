/** One attempt to tell an event, as pages show it, whoever made it. Times in milliseconds since the epoch. */
import { isShallow } from '../contract/json-depth.ts';
import type { Tone } from './detail.tsx';
import { withEscapedMarks } from './visible.ts';

export interface ShownAttempt {
  /** Unique on its page: `12.1`, delivery and number. */
  readonly key: string;
  readonly label: string;
  readonly startedAt: number;
  /** Null while it is under way. */
  readonly endedAt: number | null;
  /** Real milliseconds of the exchange. */
  readonly durationMs: number | null;
  readonly tone: Tone;
  /** `200`, `no answer`. */
  readonly outcome: string;
  /** What became of it and why, in words. */
  readonly reason: string;
  readonly request: Message | null;
  /** `<t>.<raw body>`; null where nothing was signed anew, or it is not known. */
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
 * JSON with indentation where it is JSON; else as it is. Of the text and not of its value, which may have other numbers
 * (9007199254740993, 1.10, 1e400) and fewer fields: an edited copy begins with what is shown.
 */
export function pretty(text: string): string {
  try {
    return isShallow(JSON.parse(text)) ? indented(text) : text;
  } catch {
    return text;
  }
}

/** Valid JSON on one line, without blanks between its parts; numbers, strings and names stay as they are written. */
export const compact = (json: string): string =>
  json.replace(part, (found) => (found.startsWith('"') ? found : found.replace(/\s+/g, '')));

/** Of valid JSON. */
function indented(json: string): string {
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  return json.replace(part, (found) => {
    if (found.startsWith('"')) return withEscapedMarks(JSON.stringify(JSON.parse(found)));
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

/** Strings, what is empty, and what stands between values; numbers and names stay as they are. */
const part = /"[^"\\]*(?:\\.[^"\\]*)*"|[{[]\s*[}\]]|[{}[\],:]|\s+/g;
