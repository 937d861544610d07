/** `pixctl demo`: flags only. */
import { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';

export function demoCommand(runtime: Runtime): Command {
  const demo = new Command('demo')
    .description('see a charge created, shown and paid, in a sandbox inside this process; nothing is stored')
    .action(async () => (await import('./demo.ts')).demo(runtime));
  return withHelp(demo, {
    examples: {
      'pixctl demo': 'no account, no network, no files',
      'pixctl demo --quiet': 'without what to try next',
    },
    exits: [],
  });
}
