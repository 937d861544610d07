/** How far a world may be driven at once. For the control plane and the page, and, without either, for the flags. */

/**
 * How far the clock goes forward at once, and how long a withdrawal's step may take, milliseconds: a year, because
 * nothing is due later than that.
 */
export const longestAdvanceMs = 366 * 86_400_000;
/** Characters of a withdrawal's `failedReason` that is given by hand. */
export const longestReason = 500;
/** How many charges and customers are seeded at once at most. */
export const mostSeeded = 100_000;
