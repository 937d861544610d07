/** The variables that a run was started with, as whoever reads one is handed them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables by the names that are asked for: Windows knows each in any case, and most programs there write `Path`
 * or `ProgramData`; a copy of `process.env` knows only the one that was written.
 */
export const environmentOf = (variables: Environment, platform: NodeJS.Platform): Environment =>
  platform === 'win32' ? { ...inCapitals(variables), ...variables } : { ...variables };

const inCapitals = (variables: Environment): Environment =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toUpperCase(), value]));
