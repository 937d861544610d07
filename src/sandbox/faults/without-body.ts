/** Statuses whose answers have no body (RFC 9110), so no page either. For the schema and, without zod, the flag. */
export const withoutBody: readonly number[] = [204, 205, 304];
