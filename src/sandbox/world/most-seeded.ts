/** How many charges and customers are seeded at once at most. For the control plane and, without zod, the flags. */
export const mostSeeded = 100_000;
