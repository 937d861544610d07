/** How far a world may be driven at once. For the control plane and the page and, without either, for the flags. */

/**
 * How far the clock goes forward at once, and how long a withdrawal's step may take or a fault may last: a year,
 * because nothing is due later than that. Milliseconds.
 */
export const longestAdvanceMs = 366 * 86_400_000;
/** Longest `failedReason` that is given by hand, in characters. */
export const maxReasonLength = 500;
/** How many charges and customers can be seeded at once. */
export const maxSeeded = 100_000;
/** How many calls of the documented plane are remembered. */
export const maxLoggedRequests = 500;
