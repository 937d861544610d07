/** What a fault may be asked for. For the schema, and, without zod, for the flags. */

/** How long an effect may hold an answer or a delivery, milliseconds. */
export const longestWaitMs = 24 * 3_600_000;
/** Statuses whose answers have no body (RFC 9110), so no page either. */
export const withoutBody: readonly number[] = [204, 205, 304];
/** What can be sent in a Location header. */
export const locationForm = /^[!-~]{1,2048}$/;
export const locationWords = 'must be an address without spaces, in ASCII';
