/** How an attempt ended, in a word or two. */
export const outcomeOf = ({ status, error }: { status: number | null; error: string | null }): string =>
  status === null ? (error ?? '') : `HTTP ${status}`;
