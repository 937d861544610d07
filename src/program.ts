/**
 * The whole command tree on one page. Only the commands that the command line names are loaded, so that
 * `pixctl --help` needs this page and nothing else; the body of a command is loaded when it runs.
 */
import { Command } from 'commander';
import { addGlobals } from './flags/globals.ts';
import { helpWidth, loadFields, proseWrapped } from './flags/help.ts';
import { applyHelpFormat } from './flags/help-format.ts';
import { helpTopics } from './flags/help-topics.ts';
import { suggestCommandName } from './flags/mistakes/suggestions.ts';
import { addValueChecks } from './flags/mistakes/value-checks.ts';
import { harden, refuseIgnoredFlags, walkCommands } from './program/harden.ts';
import type { Runtime } from './runtime.ts';
import { version } from './version.ts';

interface Entry {
  readonly name: string;
  /** Its heading in the help. */
  readonly group: string;
  readonly summary: string;
  /** Called by shells, not by people. */
  readonly hidden?: boolean;
  /**
   * Loads the function that builds the command. It receives the words of the command line (or `all`), so that it can
   * leave out verbs that are not named.
   */
  readonly load: () => Promise<(runtime: Runtime, words: readonly string[] | 'all') => Command>;
}

const whatNext = `New here? Try pixctl demo, which needs no account; then pixctl login.
Help on one command, with examples: pixctl help charge create
Topics of pixctl help: ${helpTopics.join(', ')}`;

const commands: readonly Entry[] = [
  {
    name: 'charge',
    group: 'Charges',
    summary: 'create, show, wait for and refund PIX charges',
    load: async () => (await import('./commands/charge/index.ts')).chargeCommand,
  },
  {
    name: 'customer',
    group: 'Charges',
    summary: 'show customers',
    load: async () => (await import('./commands/customer/index.ts')).customerCommand,
  },
  {
    name: 'brcode',
    group: 'Charges',
    summary: 'decode and check PIX copy-and-paste codes, offline',
    load: async () => (await import('./commands/brcode/index.ts')).brcodeCommand,
  },
  {
    name: 'reconcile',
    group: 'Charges',
    summary: 'compare your own list of orders with the charges',
    load: async () => (await import('./commands/reconcile/index.ts')).reconcileCommand,
  },
  {
    name: 'withdraw',
    group: 'Money out',
    summary: 'pay out to a PIX key; always safe to run again',
    load: async () => (await import('./commands/withdrawal/index.ts')).withdrawCommand,
  },
  {
    name: 'withdrawal',
    group: 'Money out',
    summary: 'list withdrawals, settle unknown ones, pay a CSV file',
    load: async () => (await import('./commands/withdrawal/index.ts')).withdrawalCommand,
  },
  {
    name: 'destination',
    group: 'Money out',
    summary: 'save PIX keys under a name',
    load: async () => (await import('./commands/destination/index.ts')).destinationCommand,
  },
  {
    name: 'policy',
    group: 'Money out',
    summary: 'limit what this machine may pay out',
    load: async () => (await import('./commands/policy/index.ts')).policyCommand,
  },
  {
    name: 'webhook',
    group: 'Webhooks',
    summary: 'receive, store, forward, replay and trigger events',
    load: async () => (await import('./commands/webhook/index.ts')).webhookCommand,
  },
  {
    name: 'sandbox',
    group: 'Sandbox',
    summary: 'run the whole service on this machine',
    load: async () => (await import('./commands/sandbox/index.ts')).sandboxCommand,
  },
  {
    name: 'demo',
    group: 'Sandbox',
    summary: 'see a charge created, shown and paid, offline',
    load: async () => (await import('./commands/demo/index.ts')).demoCommand,
  },
  {
    name: 'login',
    group: 'Setup',
    summary: 'store an API key in a profile',
    load: async () => (await import('./commands/profile/index.ts')).loginCommand,
  },
  {
    name: 'logout',
    group: 'Setup',
    summary: "forget a profile's API key",
    load: async () => (await import('./commands/profile/index.ts')).logoutCommand,
  },
  {
    name: 'whoami',
    group: 'Setup',
    summary: 'show the profile in use, and whether its key works',
    load: async () => (await import('./commands/profile/index.ts')).whoamiCommand,
  },
  {
    name: 'profile',
    group: 'Setup',
    summary: 'list, choose and remove profiles',
    load: async () => (await import('./commands/profile/index.ts')).profileCommand,
  },
  {
    name: 'config',
    group: 'Setup',
    summary: 'read and write settings',
    load: async () => (await import('./commands/config/index.ts')).configCommand,
  },
  {
    name: 'doctor',
    group: 'Setup',
    summary: 'check machine, settings, service and ledger',
    load: async () => (await import('./commands/doctor/index.ts')).doctorCommand,
  },
  {
    name: 'completion',
    group: 'Setup',
    summary: 'print or install the completion of a shell',
    load: async () => (await import('./commands/completion/index.ts')).completionCommand,
  },
  {
    name: 'api',
    group: 'More',
    summary: 'call any path of the service',
    load: async () => (await import('./commands/api/index.ts')).apiCommand,
  },
  {
    name: 'help',
    group: 'More',
    summary: 'explain a command or a topic',
    load: async () => (await import('./commands/help/index.ts')).helpCommand,
  },
  {
    name: 'complete',
    group: 'More',
    summary: 'candidates for a shell',
    hidden: true,
    load: async () => (await import('./commands/completion/index.ts')).completeCommand,
  },
];

/**
 * Builds the program for the words `asked`, and loads only the commands that they name; with `all` (docs, completion),
 * every one.
 */
export async function createProgram(runtime: Runtime, asked: readonly string[] | 'all'): Promise<Command> {
  const words = asked !== 'all' && asked.includes('help') && asked.includes('commands') ? 'all' : asked;
  const program = addGlobals(new Command('pixctl'))
    .description('Charges, withdrawals, webhooks of a PIX Payment Service, and a local sandbox.')
    .version(version, '-V, --version', 'print the version')
    .usage('<command> [flags]')
    .helpCommand(false)
    .hook('preAction', refuseIgnoredFlags)
    .addHelpText('after', ({ command }) => `\n${proseWrapped(whatNext, helpWidth(command))}`);
  const near =
    words === 'all' ? undefined : suggestCommandName(words[0] === 'help' ? words.slice(1) : words, commands);
  for (const { name, group, summary, hidden = false, load } of words === 'all'
    ? commands
    : commandsToLoad(words)) {
    const named = words === 'all' || words.includes(name) || name === near;
    const command = named ? (await load())(runtime, words) : new Command(name);
    program.addCommand(command.summary(summary).helpGroup(`${group}:`), { hidden });
  }
  const forHelp = words === 'all' || words.some((word) => ['help', '--help', '-h'].includes(word));
  for (const command of walkCommands(program)) {
    harden(command, runtime, asked === 'all' ? [] : asked);
    addValueChecks(command);
    applyHelpFormat(command);
    if (forHelp) await loadFields(command);
  }
  return program;
}

/**
 * The commands to load: for a line that begins with a command's name, only that one; for `help` and `complete`, all.
 */
function commandsToLoad([first = '']: readonly string[]): readonly Entry[] {
  const begun = commands.filter(({ name }) => name === first && name !== 'help' && name !== 'complete');
  return begun.length > 0 ? begun : commands;
}
