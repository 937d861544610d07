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

/**
 * What says that the terminal shows no UTF-8, such as `LANG=C` or `no LANG`; null where nothing does. Most terminals
 * show UTF-8 whatever the locale, and in a container there often is none. tmux and screen go by it, and so does a
 * terminal for a locale that names another encoding.
 */
export function findForeignLocale(environment: Environment): string | null {
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((each) => environment[each]) ?? 'LANG';
  const locale = environment[name] ?? '';
  if (/utf-?8/i.test(locale)) return null;
  const isMultiplexed = Boolean(environment.TMUX || environment.STY);
  if (!isMultiplexed && !locale.includes('.')) return null;
  return locale === '' ? 'no LANG' : `${name}=${locale}`;
}
