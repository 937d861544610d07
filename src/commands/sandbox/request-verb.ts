/** Flags of `pixctl sandbox requests`. */
import type { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import { readingExits } from './exits.ts';
import type { RequestFlags } from './requests/requests.ts';

export function addRequestVerb(sandbox: Command, runtime: Runtime): void {
  withHelp(
    sandbox
      .command('requests')
      .description('list the calls of the API, oldest first, each with its answer; --follow goes on')
      .option('-f, --follow', 'wait for further calls until Ctrl-C, or for as long as --timeout says')
      .option('--failed', 'only those that were refused, or had no answer')
      .option('-n, --limit <n>', 'at most this many past ones, the newest; 1 to 500', '20')
      .action(async (flags: RequestFlags) =>
        (await import('./requests/requests.ts')).listRequests(runtime, flags),
      ),
    {
      examples: {
        'pixctl sandbox requests --failed': 'what was refused, and why',
        'pixctl sandbox requests --follow': 'in a terminal of its own',
        'pixctl sandbox requests -n 1 -o json': 'the last one, with what was sent and answered',
      },
      exits: ['usage', ...readingExits],
      view: async () => (await import('./requests/view.ts')).requestView,
      more: 'The sandbox keeps the last 500, and of each the first 4 KB that were sent and answered. API keys are not kept, and signing secrets not shown.',
    },
  );
}
