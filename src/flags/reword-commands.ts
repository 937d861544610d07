/** Command lines that a text names, rewritten so that they run where they are read. */
import { commandLine } from './command-line.ts';
import type { Environment } from './environment.ts';
import type { Globals } from './globals.ts';

/**
 * How this program is called here: `npx pixctl` if npm started it, for that line or for a script of a package, because
 * the shell alone may not find it. npm shows what it ran to everything that descends from it, so that must name pixctl:
 * a test runner may start a pixctl that is installed globally.
 *
 * @param node as in `RuntimeParts`: npm does not start the single executable
 */
export const programNameOf = (environment: Environment, node: string | null): ProgramName =>
  node !== null && namesPixctl.test(environment.npm_lifecycle_script ?? '') ? 'npx pixctl' : 'pixctl';

type ProgramName = 'pixctl' | 'npx pixctl';

const namesPixctl = /(?:^|[\s"'/\\])pixctl(?:\.js|\.cmd)?(?=["'\s]|$)/;

/**
 * Returns a function that rewrites each command line in a text so that it runs as it stands: it begins as this run did
 * (`programName`), and has the flags which chose this run's merchant. Pasted without those, the command could act for
 * another merchant, where the same key protects from nothing.
 */
export function createCommandReworder(
  programName: ProgramName,
  { profile, baseUrl }: Globals,
): (text: string) => string {
  const chosen = Object.entries({ '--profile': profile, '--base-url': baseUrl });
  return (text) =>
    text.replace(commandPattern, (_begin, npx: string | undefined, command: string, flags: string) => {
      const missing = merchantCommandPattern.test(command)
        ? chosen.flatMap(([flag, value]) =>
            value === undefined || flags.includes(`${flag} `) ? [] : [flag, value],
          )
        : [];
      const name = npx === undefined ? programName : 'npx pixctl';
      return missing.length === 0 ? `${name} ` : `${name} ${commandLine(missing)} `;
    });
}

/**
 * The begin of a command line: not "no pixctl runs", nor a path with that name in it, nor the line that a shell's start
 * file gets.
 */
const commandPattern =
  /(?<![\w/.-])(npx )?pixctl (?=((?:--?[a-z][a-z-]*|api|brcode|charge|completion(?! (?:bash|zsh|fish|powershell)\b)|config|customer|demo|destination|doctor|help|login|logout|policy|profile|reconcile|sandbox(?: start)?|webhook|whoami|withdraw|withdrawal)\b)(.*))/g;

/** Commands that act for a merchant or log in to one; `profile`, `config` and the like need none. */
const merchantCommandPattern =
  /^(?:api|charge|customer|destination|doctor|login|policy|reconcile|sandbox|webhook|whoami|withdraw|withdrawal)$/;
