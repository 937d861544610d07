/**
 * The whole command tree on one page. Only the commands that the line names are loaded, so that
 * `pixctl --help` reads this page and nothing else; their bodies load when they run.
 */
import { Command } from 'commander';
import { addGlobals } from './flags/globals.ts';
import { loadFields } from './flags/help.ts';
import type { Runtime } from './runtime.ts';

export const version = '0.1.0';

interface Entry {
  readonly name: string;
  readonly summary: string;
  /** Called by shells, not by people. */
  readonly hidden?: boolean;
  readonly load: () => Promise<(runtime: Runtime) => Command>;
}

const commands: readonly Entry[] = [
  {
    name: 'login',
    summary: 'keep an API key under a profile',
    load: async () => (await import('./commands/profile/index.ts')).loginCommand,
  },
  {
    name: 'logout',
    summary: "forget a profile's API key",
    load: async () => (await import('./commands/profile/index.ts')).logoutCommand,
  },
  {
    name: 'whoami',
    summary: 'show the profile in use, and whether its key is good',
    load: async () => (await import('./commands/profile/index.ts')).whoamiCommand,
  },
  {
    name: 'profile',
    summary: 'list, choose and remove profiles',
    load: async () => (await import('./commands/profile/index.ts')).profileCommand,
  },
  {
    name: 'config',
    summary: 'read and write settings',
    load: async () => (await import('./commands/config/index.ts')).configCommand,
  },
  {
    name: 'doctor',
    summary: 'check this machine, the settings, the service and the ledger',
    load: async () => (await import('./commands/doctor/index.ts')).doctorCommand,
  },
  {
    name: 'completion',
    summary: 'print or install the completion of a shell',
    load: async () => (await import('./commands/completion/index.ts')).completionCommand,
  },
  {
    name: 'complete',
    summary: 'candidates for a shell',
    hidden: true,
    load: async () => (await import('./commands/completion/index.ts')).completeCommand,
  },
  {
    name: 'help',
    summary: 'explain a command, the exit codes, the environment or amounts',
    load: async () => (await import('./commands/help/index.ts')).helpCommand,
  },
  {
    name: 'demo',
    summary: 'see a charge created, shown and paid, offline',
    load: async () => (await import('./commands/demo/index.ts')).demoCommand,
  },
  {
    name: 'charge',
    summary: 'create, show, await and refund PIX charges',
    load: async () => (await import('./commands/charge/index.ts')).chargeCommand,
  },
  {
    name: 'customer',
    summary: 'show customers',
    load: async () => (await import('./commands/customer/index.ts')).customerCommand,
  },
  {
    name: 'brcode',
    summary: 'read and judge PIX copy-and-paste codes, offline',
    load: async () => (await import('./commands/brcode/index.ts')).brcodeCommand,
  },
  {
    name: 'withdraw',
    summary: 'pay balance out to a PIX key, at most once for an idempotency key',
    load: async () => (await import('./commands/withdrawal/index.ts')).withdrawCommand,
  },
  {
    name: 'withdrawal',
    summary: 'look at withdrawals, settle what is unknown, pay a file of them',
    load: async () => (await import('./commands/withdrawal/index.ts')).withdrawalCommand,
  },
  {
    name: 'destination',
    summary: 'save PIX keys under a name',
    load: async () => (await import('./commands/destination/index.ts')).destinationCommand,
  },
  {
    name: 'policy',
    summary: 'cap what this machine may pay out',
    load: async () => (await import('./commands/policy/index.ts')).policyCommand,
  },
  {
    name: 'reconcile',
    summary: 'compare your own list of orders with the charges',
    load: async () => (await import('./commands/reconcile/index.ts')).reconcileCommand,
  },
  {
    name: 'api',
    summary: 'call any path of the service',
    load: async () => (await import('./commands/api/index.ts')).apiCommand,
  },
  {
    name: 'sandbox',
    summary: 'the whole service on this machine',
    load: async () => (await import('./commands/sandbox/index.ts')).sandboxCommand,
  },
  {
    name: 'webhook',
    summary: 'receive, keep, forward, replay and provoke webhook events',
    load: async () => (await import('./commands/webhook/index.ts')).webhookCommand,
  },
];

/** The program with the commands that `words` names loaded, or all of them (documentation, completion). */
export async function createProgram(runtime: Runtime, words: readonly string[] | 'all'): Promise<Command> {
  const program = addGlobals(new Command('pixctl'))
    .description(
      'Charges, withdrawals and webhooks of a PIX Payment Service, and a sandbox of the whole of it.',
    )
    .version(version, '-V, --version', 'print the version')
    .usage('<command> [flags]')
    .helpCommand(false);
  for (const { name, summary, hidden = false, load } of commands) {
    const named = words === 'all' || words.includes(name);
    const command = named ? (await load())(runtime) : new Command(name);
    program.addCommand(command.summary(summary), { hidden });
  }
  const forHelp = words === 'all' || words.some((word) => ['help', '--help', '-h'].includes(word));
  for (const command of everyCommand(program)) {
    harden(command, runtime);
    if (forHelp) await loadFields(command);
  }
  return program;
}

/** A command and all below it. */
export function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* everyCommand(child);
}

/** commander throws instead of exiting, and writes where we tell it: `main` alone ends the program. */
function harden(command: Command, runtime: Runtime): void {
  command
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureOutput({
      // A failure is remembered, and told by `main` at the end.
      writeOut: (text) => void runtime.io.write(text).catch(() => {}),
      writeErr: () => {},
      getOutHelpWidth: () => runtime.io.size().columns,
      getErrHelpWidth: () => runtime.io.size().columns,
    });
}
