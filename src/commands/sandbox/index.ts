/** `pixctl sandbox`: flags only; each verb's body is loaded when it runs. */
import { Command, Option } from 'commander';
import { exitWithStdinFlag } from '../../flags/exit-with-stdin.ts';
import { withHelp } from '../../flags/help.ts';
import { collect } from '../../flags/list-flags.ts';
import type { Runtime } from '../../runtime.ts';
import { maxSeeded } from '../../sandbox/world/limits.ts';
import { progressions, undocumentedModes } from '../../sandbox/world/settings.ts';
import { addDrivingVerbs } from './driving-verbs.ts';
import { addEventVerbs } from './event-verbs.ts';
import { changingExits, exitWords } from './exits.ts';
import { addFaultVerbs } from './fault-verbs.ts';
import { addMerchantVerbs } from './merchant-verbs.ts';
import { addRecordVerbs } from './record-verbs.ts';
import { addRequestVerb } from './request-verb.ts';
import { type StartFlags, sandboxOptions } from './start/options.ts';

/**
 * Makes `pixctl sandbox`. For a line that begins with `sandbox start`, the other verbs are not built, because somebody
 * is waiting.
 */
export function sandboxCommand(runtime: Runtime, words: readonly string[] | 'all'): Command {
  const sandbox = new Command('sandbox').description(
    'run the whole service on this machine, and do what no API call can do',
  );
  addStart(sandbox, runtime);
  if (words[0] === 'sandbox' && words[1] === 'start') return sandbox;
  addRecordVerbs(sandbox, runtime);
  addMerchantVerbs(sandbox, runtime);
  addDrivingVerbs(sandbox, runtime);
  addEventVerbs(sandbox, runtime);
  addRequestVerb(sandbox, runtime);
  addFaultVerbs(sandbox, runtime);
  addWorldVerbs(sandbox, runtime);
  return withHelp(sandbox, {
    examples: {
      'pixctl sandbox start': 'in a terminal of its own',
      'pixctl sandbox pay chg_1': "what a customer's bank would do",
      'pixctl sandbox clock advance 24h': 'charges expire, retries are sent',
    },
    exits: [],
    exitWords,
  });
}

function addStart(sandbox: Command, runtime: Runtime): void {
  withHelp(
    sandbox
      .command('start')
      .description('start a sandbox on 127.0.0.1 and keep it running until Ctrl-C')
      .option('--port <port>', 'port to listen on; 0 for any free one', '0')
      .option('--host <address>', 'also listen on this address of the machine; 0.0.0.0 or :: for all')
      .option(
        '--allow-host <name>',
        'also answer control requests under this host name; may be repeated',
        collect,
        [],
      )
      .option('--state <file>', 'keep everything in this file, and continue from it (default: in memory)')
      .addOption(
        new Option('--undocumented <mode>', 'what to do where the document is silent')
          .choices(undocumentedModes)
          .default('assume'),
      )
      .option(
        '--assume <id=behaviour>',
        'choose the behaviour at one open point; may be repeated',
        collect,
        [],
      )
      .addOption(
        new Option('--withdrawals <progression>', 'how withdrawals proceed')
          .choices(progressions)
          .default('timed'),
      )
      .option('--withdrawal-step <duration>', 'time between two steps of a timed withdrawal', '2s')
      .option('--seed <text>', 'the same ids, key and random behaviours in every run')
      .option('--no-profile', 'do not write the profile "sandbox"')
      .option(...exitWithStdinFlag)
      .action(async (flags: StartFlags) => {
        const options = sandboxOptions(flags, runtime);
        await (await import('./start/start.ts')).start(runtime, flags, options);
      }),
    {
      view: async () => (await import('./start/view.ts')).startedView,
      examples: {
        'pixctl sandbox start': 'then, in another terminal: pixctl charge create --amount 10,50',
        'pixctl sandbox start --port 4010 --state shop.db': 'a fixed address, kept between runs',
        'pixctl sandbox start --port 0 -o json': 'one line with url, apiKey, pid and uiUrl, for a script',
        'PIXCTL_SANDBOX_API_KEY=<key> pixctl sandbox start --port 4010 --host 0.0.0.0':
          'in a container: for others too, with a key that they know',
      },
      exits: ['usage', 'config'],
      exitWords: {
        config: 'the state file, the settings or the key of PIXCTL_SANDBOX_API_KEY cannot be used',
      },
      more: 'It writes the profile "sandbox", and makes it the current one when there is no other. pixctl help sandbox lists the commands that control it.',
    },
  );
}

function addWorldVerbs(sandbox: Command, runtime: Runtime): void {
  withHelp(
    sandbox
      .command('reset')
      .description('remove all records, webhook endpoints and faults; address, key and clock stay')
      .action(async () => (await import('./world/world.ts')).reset(runtime)),
    {
      examples: {
        'pixctl sandbox reset': 'before the next test',
        'pixctl sandbox reset --base-url http://127.0.0.1:4010': 'the sandbox at this address',
      },
      exits: changingExits,
      more: 'The endpoint of a running webhook listen is removed too: it receives nothing until it is started again.',
    },
  );
  withHelp(
    sandbox
      .command('seed')
      .description('create sample customers and charges; two out of three charges are paid')
      .option('--charges <n>', `how many charges, 0 to ${maxSeeded}`, '50')
      .option('--customers <n>', `how many customers, 0 to ${maxSeeded}`, '5')
      .action(async (flags: { charges: string; customers: string }) =>
        (await import('./world/world.ts')).seed(runtime, flags),
      ),
    {
      view: async () => (await import('./world/view.ts')).seededView,
      examples: {
        'pixctl sandbox seed --charges 1000': 'several pages of them',
        'pixctl sandbox seed --charges 0 --customers 20': 'customers only',
      },
      exits: ['usage', ...changingExits, 'refused'],
    },
  );
  withHelp(
    sandbox
      .command('assumptions')
      .description('list what the document does not show, and what this sandbox does there')
      .action(async () => (await import('./world/world.ts')).assumptions(runtime)),
    {
      view: async () => (await import('./world/view.ts')).assumptionView,
      examples: {
        'pixctl sandbox assumptions': 'each with the behaviour in force',
        'pixctl sandbox assumptions -o json': 'with reasons and choices',
      },
      exits: ['unexpected'],
      more: 'Without a running sandbox the defaults are listed. An answer that depends on one has the header X-Sandbox-Assumption.',
    },
  );
}
