/** The service's error codes and the statuses they come with (document: "Errors"). */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Whether `code` is one that the document lists; others may exist and are shown as they are. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code);

/**
 * Returns which of `fields`, the names that a request held, a refusal is about; undefined if that is not told. Only a
 * VALIDATION_ERROR tells: its message "names the field and the problem", though the document does not say how. It is
 * the one that the message begins with, or the only one in it.
 */
export function refusedField(code: string, message: string, fields: readonly string[]): string | undefined {
  if (code !== 'VALIDATION_ERROR') return undefined;
  const words: readonly string[] = message.match(/[\w-]+/g) ?? [];
  const named = fields.filter((field) => words.includes(field));
  return named.find((field) => field === words[0]) ?? (named.length === 1 ? named[0] : undefined);
}
