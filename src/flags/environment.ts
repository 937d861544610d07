/** The variables that a run was started with, as handed to whoever reads one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables under the names that pixctl asks for. Windows ignores their case, and most programs there write `Path`
 * or `ProgramData`, but a copy of `process.env` knows only the spelling that was written.
 */
export const environmentOf = (variables: Environment, platform: NodeJS.Platform): Environment =>
  platform === 'win32' ? { ...inCapitals(variables), ...variables } : { ...variables };

const inCapitals = (variables: Environment): Environment =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toUpperCase(), value]));

/** Whether the run belongs to a pipeline (GitHub Actions, GitLab, CircleCI, ...), where nobody answers a question. */
export const isPipeline = ({ CI = '' }: Environment): boolean =>
  !['', '0', 'false'].includes(CI.toLowerCase());
