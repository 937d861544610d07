/** The flags that every command takes. */
import { type Command, Option } from 'commander';

/** The formats of stdout. The format never changes by itself, only how it is dressed. */
const outputFormats = ['table', 'json', 'ndjson', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export interface Globals {
  readonly profile?: string;
  readonly output?: OutputFormat;
  readonly json?: boolean;
  readonly fields?: string;
  /** An expression of jq. */
  readonly jq?: string;
  readonly csvLocale?: 'machine' | 'pt-BR';
  /** False with `--no-input`. */
  readonly input?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  /** A duration, as typed. */
  readonly timeout?: string;
  readonly baseUrl?: string;
  readonly quiet?: boolean;
  readonly debug?: boolean;
  /** False with `--no-color`. */
  readonly color?: boolean;
}

/** Registers the global flags: on the program, and on each command so that they may stand anywhere. */
export function addGlobals(command: Command): Command {
  return command
    .option('-p, --profile <name>', 'use this profile')
    .addOption(new Option('-o, --output <format>', 'format').choices(outputFormats))
    .option('--json', 'same as -o json')
    .option('--fields <a,b>', 'show only these fields')
    .option('--jq <expression>', 'filter json with jq (built in); implies -o json')
    .addOption(
      new Option('--csv-locale <locale>', 'csv with cents and UTC, or with 10,50 and São Paulo time')
        .choices(['machine', 'pt-BR'])
        .default('machine'),
    )
    .option('--no-input', 'never ask; fail when something is missing')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'show what would be sent, and send nothing')
    .option('--timeout <duration>', 'time limit of one request (default: 30s), or of a wait')
    .option('--base-url <url>', "the service's address")
    .option('-q, --quiet', 'no hints or progress on stderr')
    .option('--debug', 'trace HTTP on stderr, keys and personal data redacted')
    .option('--no-color', 'no colour');
}
