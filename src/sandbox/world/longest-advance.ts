/**
 * How far the clock goes forward at once, and how long a withdrawal's step may take, milliseconds: a year, because
 * nothing is due later than that. For the control plane, the page and, without either, the argument.
 */
export const longestAdvanceMs = 366 * 86_400_000;
