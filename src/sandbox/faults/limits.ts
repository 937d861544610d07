/** Limits of what a fault may be asked to do. For the schema and, without zod, for the flags. */

/** How long an effect may hold back an answer or a delivery. Milliseconds. */
export const longestWaitMs = 24 * 3_600_000;
/** How far from now a delivery may be signed: ten years, as a signature holds no time before 1970. Milliseconds. */
export const longestSkewMs = 3_650 * 86_400_000;
/** Statuses whose answers have no body (RFC 9110), and so no page either. */
export const statusesWithoutBody: readonly number[] = [204, 205, 304];
/** Matches what can be sent in a Location header. */
export const locationForm = /^[!-~]{1,2048}$/;
export const locationWords = 'must be an address without spaces, in ASCII';
