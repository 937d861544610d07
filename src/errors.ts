/**
 * The closed family of errors and the exit codes that they carry (`exitCodes`).
 *
 * A room translates foreign errors into this family once, at its border, and keeps the `cause`. Only
 * `main` turns one into words and a number. Apart from 1, no code from 1 to 13 is used: Node itself ends with those.
 */

/** What a script may conclude from each exit code; `pixctl help exit-codes` prints this table. */
export const exitCodes = {
  ok: { exit: 0, meaning: 'success (also an empty list, or a replayed idempotency key)', next: 'continue' },
  unexpected: {
    exit: 1,
    meaning: 'unexpected: a bug, or a reply that breaks the contract',
    next: 'read the message, check what happened',
  },
  usage: { exit: 64, meaning: 'usage or local validation; nothing was sent', next: 'fix the call' },
  data: {
    exit: 65,
    meaning: 'bad input data: a batch file, a payload, a signature that does not verify',
    next: 'fix the data',
  },
  storage: {
    exit: 74,
    meaning: 'local storage failed; nothing was sent',
    next: 'make the disk writable, then run again',
  },
  later: {
    exit: 75,
    meaning:
      'this run had no effect; try later: service not reached, 429, 5xx on a read, another withdrawal in flight',
    next: 'run again',
  },
  auth: { exit: 77, meaning: 'no key, 401 UNAUTHORIZED, 403 FORBIDDEN', next: 'log in' },
  config: {
    exit: 78,
    meaning: 'configuration, or not the expected ledger',
    next: 'correct the settings; never delete a ledger',
  },
  refused: {
    exit: 80,
    meaning: 'refused by the service: 400 and the like; nothing moved',
    next: 'fix the request',
  },
  unknown: {
    exit: 81,
    meaning: 'OUTCOME UNKNOWN: the request may have had an effect (money may have moved, a charge may exist)',
    next: 'for a withdrawal: run the same command again; it does not send twice',
  },
  pending: { exit: 82, meaning: 'still pending when the wait timed out', next: 'wait again' },
  endedBadly: {
    exit: 83,
    meaning:
      'ended badly: charge EXPIRED, withdrawal FAILED; a check found a problem, an event was not accepted',
    next: 'read the message; a new withdrawal needs a new key',
  },
  blocked: {
    exit: 84,
    meaning: 'blocked by an earlier withdrawal whose outcome is unknown',
    next: 'pixctl withdrawal reconcile',
  },
  keyReused: {
    exit: 85,
    meaning: 'this idempotency key was used with other parameters',
    next: 'correct the parameters, or use another key',
  },
  duplicate: {
    exit: 86,
    meaning:
      'possible duplicate: the service lists an equal payment that no key of this label and address has, or another address has paid it',
    next: 'have a person check: if it is this one, resolve the key; if another, --allow-duplicate',
  },
  policy: {
    exit: 87,
    meaning: 'refused by local policy, or not confirmed; nothing was sent',
    next: 'have a person decide',
  },
  notFound: { exit: 88, meaning: '404 NOT_FOUND', next: 'check the id, and the profile: pixctl whoami' },
  interrupted: { exit: 130, meaning: 'SIGINT with nothing in flight (otherwise 81)', next: '-' },
  terminated: { exit: 143, meaning: 'SIGTERM or SIGHUP with nothing in flight (otherwise 81)', next: '-' },
} as const;

export type ExitName = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[ExitName]['exit'];

export interface ErrorDetails {
  /** What to do next, one plain sentence. */
  hint?: string | undefined;
  /** What was refused: a flag (`--limit`), an argument (`<id>`), or a field of the request (`amount`). */
  field?: string | undefined;
  /** The HTTP status of the service's answer, where there was one. */
  httpStatus?: number | undefined;
  /** The service's own `error` code, where it sent one. */
  serviceCode?: string | undefined;
  /** The service's Retry-After, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** Whether a later run would meet the same failure. */
  isPermanent?: boolean | undefined;
  /** Whether the command has shown this already, other than as an error text: `main` then only sets the exit code. */
  alreadyShown?: boolean | undefined;
  /** What `main` does once the words of the error are out, and only then; if it fails, the error stands. */
  afterShown?: (() => Promise<void>) | undefined;
  cause?: unknown;
}

/**
 * Every error that this program means to raise. `message` says what happened and whether anything was
 * sent; `hint` says what to do. `code` is stable and machine readable; `kind` decides the exit code.
 */
export class PixctlError extends Error {
  override readonly name = 'PixctlError';
  readonly code: string;
  readonly kind: ExitName;
  readonly hint: string | undefined;
  readonly field: string | undefined;
  readonly httpStatus: number | undefined;
  readonly serviceCode: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly isPermanent: boolean;
  readonly alreadyShown: boolean;
  readonly afterShown: (() => Promise<void>) | undefined;

  constructor(kind: ExitName, code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.code = code;
    this.hint = details.hint;
    this.field = details.field;
    this.httpStatus = details.httpStatus;
    this.serviceCode = details.serviceCode;
    this.retryAfterMs = details.retryAfterMs;
    this.isPermanent = details.isPermanent === true;
    this.alreadyShown = details.alreadyShown === true;
    this.afterShown = details.afterShown;
  }

  get exit(): ExitCode {
    return exitCodes[this.kind].exit;
  }
}

/** Rewords a failure for a caller that knows more about what was asked. What is not given stays as it was. */
export const rewordError = (
  cause: PixctlError,
  other: { kind?: ExitName; code?: string; message?: string; hint?: string },
): PixctlError => {
  const { kind, code, message, ...details } = { ...cause, message: cause.message, ...other };
  return new PixctlError(kind, code, message, { ...details, cause });
};

/** The message of a run that ends before its send, amended to say that nothing was sent. */
export const addNothingSent = (message: string): string =>
  /nothing was sent/i.test(message) ? message : `${message.replace(/\.$/, '')}; nothing was sent`;

/** The message without "Nothing was sent." or "; nothing was sent", where nobody expects anything to be sent. */
export const removeNothingSent = (message: string): string =>
  message.replace(' Nothing was sent.', '').replace(/; nothing was sent$/, '');

/** Runs `work`, which never sends anything: where its errors say that nothing was sent, they say `done` instead. */
export async function rewordNothingSent<T>(done: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof PixctlError)) throw cause;
    throw rewordError(cause, {
      message: cause.message.replace(/Nothing was sent\.$/, `Nothing was ${done}.`),
    });
  }
}

/**
 * Runs `work` on a key that an earlier run may have sent. If it fails because of storage or settings (74, 78), that
 * earlier run was not looked up, so "nothing was sent" is said of this run alone.
 */
export async function qualifyNothingSent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof PixctlError) || (cause.kind !== 'storage' && cause.kind !== 'config')) throw cause;
    const message = cause.message.replace(/nothing was sent(?! in this run)/i, '$& in this run');
    throw rewordError(cause, { message });
  }
}

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/**
 * Resolves with what `work` resolves with, or with the error of this family that it rejects with: the caller goes on
 * with either.
 */
export async function orError<T>(work: Promise<T>): Promise<T | PixctlError> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof PixctlError) return cause;
    throw cause;
  }
}

/**
 * Whether a part of the program that loads only when needed is gone, because another version was installed, or cannot
 * be read (bin/compile-cache.js).
 */
export const isReplaced = (thrown: unknown): thrown is Error =>
  (thrown as { code?: unknown } | null)?.code === 'ERR_REPLACED';

/** The kind of a run that a signal stopped (130 or 143). `reason` is that of the `AbortSignal`: the signal's name. */
export const kindForSignal = (reason: unknown): 'interrupted' | 'terminated' =>
  reason === 'SIGTERM' || reason === 'SIGHUP' ? 'terminated' : 'interrupted';

/**
 * Bad arguments or a failed local check (64). Nothing was sent. A message about one flag or argument begins with it:
 * that is the error's `field`.
 */
export const usageError = (message: string, hint?: string) =>
  new PixctlError('usage', 'USAGE', message, {
    hint,
    field: /^(?:pixctl(?: [\w -]+)? (?:has no flag|takes no) )?(--?[a-z][\w-]*|<[\w ]+>)/i.exec(message)?.[1],
  });

/** Bad input data: a file, a payload, a signature (65). */
export const dataError = (code: string, message: string, hint?: string) =>
  new PixctlError('data', code, message, { hint });

/** Local storage failed before anything was sent (74). */
export const storageError = (message: string, details?: ErrorDetails) =>
  new PixctlError('storage', 'STORAGE', message, details);

/** Configuration is wrong or incomplete (78). */
export const configError = (code: string, message: string, hint?: string, details?: ErrorDetails) =>
  new PixctlError('config', code, message, { ...details, hint });

/** Adds a full stop if the text has none, and a capital if it begins with a plain word (`localhost` is a name). */
export const asSentence = (text: string): string =>
  `${text.replace(/^(?!(?:pixctl|localhost)\b)[a-z](?=[a-z]*[ ,])/, (letter) => letter.toUpperCase())}${/[.!?]$/.test(text) ? '' : '.'}`;

/**
 * Masks API keys, signing secrets and session tokens wherever a message may have picked one up; even inside a word,
 * because in an address `%20` or `%3D` may stand before them. The first part of a token is bounded: otherwise a text of
 * nothing but beginnings of tokens would be scanned to its end from each of them. What a sandbox's keys begin with
 * is no key: a hint says it.
 */
export const hideSecrets = (text: string): string =>
  text
    .replace(/(svc_(?!sandbox_(?![A-Za-z0-9_-]))|whsec_)[A-Za-z0-9_-]{4,}/g, '$1****')
    .replace(/eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)?/g, 'eyJ****');
