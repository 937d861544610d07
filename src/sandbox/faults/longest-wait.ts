/** How long an effect may hold an answer or a delivery, milliseconds. For the schema and, without zod, the flag. */
export const longestWaitMs = 24 * 3_600_000;
