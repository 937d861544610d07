/** The variables that a run was started with, as whoever reads one is handed them. */
export type Environment = Readonly<Record<string, string | undefined>>;
