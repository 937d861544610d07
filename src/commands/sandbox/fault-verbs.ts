/** Flags of `pixctl sandbox fault`; its bodies are loaded when they run. */
import { Command, Option } from 'commander';
import { withHelp } from '../../flags/help.ts';
import { allowEmpty } from '../../flags/mistakes/value-checks.ts';
import type { Runtime } from '../../runtime.ts';
import { apiEffects, deliveryEffects } from '../../sandbox/faults/effects.ts';
import { changingExits, readingExits } from './exits.ts';
import type { FaultFlags } from './faults/flags.ts';

/** Adds `fault add|list|clear` to `pixctl sandbox`. */
export function addFaultVerbs(sandbox: Command, runtime: Runtime): void {
  const fault = sandbox.command('fault').description('make the sandbox misbehave');
  fault.addCommand(addCommand(runtime));
  withHelp(
    fault
      .command('list')
      .description('show the faults in force, and how often they fired')
      .option('--presets', 'list the presets instead')
      .action(async (flags: { presets?: boolean }) =>
        (await import('./faults/fault.ts')).listFaults(runtime, flags),
      ),
    {
      view: async () => (await import('./faults/view.ts')).faultView,
      examples: {
        'pixctl sandbox fault list': 'what will go wrong',
        'pixctl sandbox fault list --presets': 'the presets, by name',
      },
      exits: readingExits,
      more: 'With --presets, --fields takes name and about.',
    },
  );
  withHelp(
    fault
      .command('clear')
      .description('clear one fault, or all of them')
      .argument('[id]', 'id of the fault, fault_... (default: all of them)')
      .action(async (id?: string) => (await import('./faults/fault.ts')).clearFaults(runtime, id)),
    {
      examples: {
        'pixctl sandbox fault clear': 'it behaves again',
        'pixctl sandbox fault clear fault_1': 'only this fault; the others stay',
      },
      exits: [...changingExits, 'notFound'],
    },
  );
  withHelp(fault, {
    examples: {
      'pixctl sandbox fault list --presets': 'the presets, by name',
      'pixctl sandbox fault add --preset lost-response': 'the request takes effect, but its answer is lost',
    },
    exits: [],
  });
}

function addCommand(runtime: Runtime): Command {
  const add = new Command('add')
    .description('add a fault: a preset, or an effect of your choice')
    .option('--preset <name>', 'a preset by name: pixctl sandbox fault list --presets')
    .option('--effect <name>', 'what goes wrong; see below')
    .option('--on <names>', 'operations (createWithdrawal, "POST /withdrawals"), events or an endpoint id')
    .option('--nth <n>', 'only the nth match')
    .option('--probability <p>', 'each match with this probability, 0 to 1')
    .option(
      '--seed <n>',
      'makes --probability repeatable (default: 1, or the next number that no active fault uses)',
    )
    .option('--times <n>', 'at most this many times')
    .option('--for <duration>', 'for this long on the sandbox clock, 366d at most')
    .addOption(
      new Option('--when <when>', 'before or after the request takes effect').choices(['before', 'after']),
    )
    .option('--status <code>', 'HTTP status of error and html')
    .option('--code <code>', "the service's error code, for error")
    .addOption(allowEmpty(new Option('--message <text>', 'for error')))
    .addOption(allowEmpty(new Option('--body <text>', 'sent as it is instead of the page, for html')))
    .option('--location <url>', 'the header of a redirect, for html with --status 302')
    .option('--retry-after <duration>', 'for rate-limit; without it the header is left out')
    .option('--wait <duration>', 'how long, for latency, hang, delay and reorder')
    .option('--copies <n>', 'further copies, for duplicate')
    .option('--skew <duration>', 'how far from now, for stale-timestamp and future-timestamp; 3650d at most')
    .addOption(new Option('--cursor <mode>', 'for stale-cursor').choices(['refuse', 'loop']))
    .option('--name <field>', 'name of the field, for unknown-field')
    .addOption(allowEmpty(new Option('--value <text>', 'the value, for unknown-field and unknown-status')))
    .action(async (flags: FaultFlags) => (await import('./faults/fault.ts')).addFault(runtime, flags));
  return withHelp(add, {
    view: async () => (await import('./faults/view.ts')).faultView,
    examples: {
      'pixctl sandbox fault add --preset lost-response --on createWithdrawal':
        'the money moves, the answer is lost',
      'pixctl sandbox fault add --effect error --status 500 --when after --nth 2':
        'the second call takes effect and is answered 500',
      'pixctl sandbox fault add --effect duplicate --copies 4 --on CHARGE_PAID': 'five deliveries of each',
    },
    exits: ['usage', ...changingExits, 'refused'],
    more: `Effects on the API:\n${listed(apiEffects)}\n\nEffects on deliveries:\n${listed(deliveryEffects)}`,
  });
}

const listed = (effects: Readonly<Record<string, string>>): string =>
  Object.entries(effects)
    .map(([name, about]) => `  ${name.padEnd(17)} ${about}`)
    .join('\n');
