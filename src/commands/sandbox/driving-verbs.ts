/** Flags of `clock`, `snapshot` and `restore`; their bodies are loaded when they run. */
import { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import { changingExits, readingExits } from './exits.ts';

/** Adds `clock`, `snapshot` and `restore` to `pixctl sandbox`. */
export function addDrivingVerbs(sandbox: Command, runtime: Runtime): void {
  addClock(sandbox, runtime);
  addSnapshots(sandbox, runtime);
}

function addClock(sandbox: Command, runtime: Runtime): void {
  const body = () => import('./world/clock.ts');
  const clock = new Command('clock').description("read and move the sandbox's clock");
  withHelp(
    clock
      .command('get')
      .description('show the time and how it runs')
      .action(async () => (await body()).getClock(runtime)),
    {
      view: async () => (await import('./world/view.ts')).clockView,
      examples: {
        'pixctl sandbox clock get': 'now, mode and how far ahead',
        'pixctl sandbox clock get -o json --jq .now': 'only the time, for a script',
      },
      exits: readingExits,
    },
  );
  withHelp(
    clock
      .command('advance')
      .description('move the clock forward: everything due happens in order, deliveries included')
      .argument('<duration>', 'how far: 90s, 15m, 24h, 30d; at most 366d')
      .action(async (by: string) => (await body()).advanceClock(runtime, by)),
    {
      view: async () => (await import('./world/view.ts')).clockView,
      examples: {
        'pixctl sandbox clock advance 24h': 'charges expire, withdrawals end, retries are sent',
        'pixctl sandbox clock advance 2s': 'the first retry of a delivery',
      },
      exits: ['usage', ...changingExits, 'pending'],
      more: 'The clock starts now and never goes back.',
    },
  );
  withHelp(
    clock
      .command('freeze')
      .description('stop the clock; what is due now still happens')
      .action(async () => (await body()).setClock(runtime, 'freeze')),
    {
      view: async () => (await import('./world/view.ts')).clockView,
      examples: {
        'pixctl sandbox clock freeze': 'nothing more becomes due by itself',
        'pixctl sandbox clock freeze && pixctl sandbox clock advance 15m': 'advance moves the frozen clock',
      },
      exits: changingExits,
    },
  );
  withHelp(
    clock
      .command('unfreeze')
      .description('let the clock run again from where it stopped')
      .action(async () => (await body()).setClock(runtime, 'unfreeze')),
    {
      view: async () => (await import('./world/view.ts')).clockView,
      examples: {
        'pixctl sandbox clock unfreeze': 'no time was skipped',
        'pixctl sandbox clock unfreeze -o json --jq .offsetMs':
          "by how many ms it is ahead of the machine's clock",
      },
      exits: changingExits,
    },
  );
  sandbox.addCommand(
    withHelp(clock, {
      examples: {
        'pixctl sandbox clock advance 24h': 'whatever falls due in a day happens now',
        'pixctl sandbox clock freeze': 'nothing more becomes due by itself',
      },
      exits: [],
    }),
  );
}

function addSnapshots(sandbox: Command, runtime: Runtime): void {
  withHelp(
    sandbox
      .command('snapshot')
      .description('save the whole sandbox in a file')
      .argument('<file>', 'the file to write; one that exists is overwritten only with --force')
      .option('--force', 'overwrite the file')
      .action(async (file: string, flags: { force?: boolean }) =>
        (await import('./world/snapshot.ts')).snapshot(runtime, file, flags),
      ),
    {
      view: async () => (await import('./world/view.ts')).snapshotView,
      examples: {
        'pixctl sandbox snapshot before.db': 'sandbox start --state reads it too',
        'pixctl sandbox snapshot before.db --force': 'overwrites the file',
      },
      exits: ['usage', ...readingExits],
    },
  );
  withHelp(
    sandbox
      .command('restore')
      .description('put the sandbox back as it was; its clock never goes back')
      .argument('<file>', 'a file that sandbox snapshot wrote')
      .action(async (file: string) => (await import('./world/snapshot.ts')).restore(runtime, file)),
    {
      view: async () => (await import('./world/view.ts')).snapshotView,
      examples: {
        'pixctl sandbox restore before.db': 'records, balances, what was due',
        'pixctl sandbox restore before.db --base-url http://127.0.0.1:4010': 'the sandbox at this address',
      },
      exits: ['usage', ...changingExits, 'refused'],
    },
  );
}
