/** One attempt to tell an event, as pages show it, whoever made it. Times in milliseconds since the epoch. */
import { isShallow } from '../contract/json-depth.ts';
import type { Tone } from './detail.tsx';

export interface ShownAttempt {
  /** Unique on its page: `12.1`, delivery and number. */
  readonly key: string;
  readonly label: string;
  readonly url: string;
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

/** JSON with indentation where it is JSON; else as it is. */
export function pretty(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value) ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
