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
