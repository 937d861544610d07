/** Flags of the verbs that concern what was received: `inbox`, `show`, `replay`, `prune`. */
import { type Command, Option } from 'commander';
import { withHelp } from '../../flags/help.ts';
import { addPeriodFlags, collect, sinceForms, zoneOfDays } from '../../flags/list-flags.ts';
import type { Runtime } from '../../runtime.ts';
import type { InboxFlags } from './inbox/list.ts';
import type { PruneFlags } from './inbox/prune.ts';
import type { ShowFlags } from './inbox/show.ts';
import type { ReplayFlags } from './replay/flags.ts';
import { headerFlag } from './signature-flags.ts';

export function addInboxVerbs(webhook: Command, runtime: Runtime): void {
  const inbox = webhook.command('inbox').description('list, show, replay and remove received events');
  const list = inbox.command('list', { isDefault: true }).description('list received events, newest first');
  listFlags(list).action(async (flags: InboxFlags) =>
    (await import('./inbox/list.ts')).inbox(runtime, flags),
  );
  withHelp(list, {
    view: async () => (await import('./view.ts')).entryView,
    examples: {
      'pixctl webhook inbox': 'the newest 50',
      'pixctl webhook inbox --contains chg_123': 'every event about one charge',
      'pixctl webhook inbox --status given-up --since 24h': 'what the application never accepted',
      'pixctl webhook inbox --all -o ndjson --fields receivedAt,id,body > events.ndjson':
        'all, with their bodies: --fields alone shows these',
    },
    exits: ['usage', 'storage'],
  });
  for (const parent of [webhook, inbox]) {
    addShowVerb(parent, runtime);
    addReplayVerb(parent, runtime);
  }
  withHelp(inbox, {
    examples: {
      'pixctl webhook inbox': 'the same as pixctl webhook inbox list',
      'pixctl webhook inbox show evt_123': 'the same as pixctl webhook show evt_123',
    },
    exits: [],
  });
  addPruneVerb(inbox, runtime);
}

function addPruneVerb(inbox: Command, runtime: Runtime): void {
  const prune = inbox
    .command('prune')
    .description(
      'remove old events that are settled; an event that still has to be forwarded is never removed',
    )
    .option('--older-than <duration>', 'those received longer ago than this: 30d (at least 1d)')
    .addOption(
      stateFlag('those in this forwarding state; without it, delivered', [
        'delivered',
        'given-up',
        'not-forwarded',
      ]),
    )
    .option(
      '--target <target>',
      'instead: let go of what this application has not accepted, because it is gone; asks first',
    )
    .action(async (flags: PruneFlags) => (await import('./inbox/prune.ts')).prune(runtime, flags));
  withHelp(prune, {
    dryRun: true,
    confirms: true,
    view: async () => (await import('./inbox/pruned-view.ts')).prunedView,
    examples: {
      'pixctl webhook inbox prune --older-than 30d': 'what your application accepted long ago',
      'pixctl webhook inbox prune --older-than 90d --status given-up --dry-run':
        'count what it never accepted; nothing is removed',
      'pixctl webhook inbox prune --target 4000 --dry-run':
        'count what an application that is gone has not accepted',
    },
    exits: ['usage', 'policy', 'storage'],
    exitWords: { policy: 'not confirmed, or a running listener forwards there; nothing was removed' },
    more: 'A removed event cannot be shown or replayed, and counts as new if it is delivered again. Later events reuse the free space; the file does not shrink.\n\n--target takes the target as webhook listen -f does, with --older-than or without, and removes no event: those that it lets go of stay for your other applications.',
  });
}

/** Also takes a state as json writes it: `NOT_FORWARDED`. */
function stateFlag(description: string, states: readonly string[]): Option {
  const option = new Option('--status <status>', description).choices(states);
  const choose = option.parseArg;
  return option.argParser((text, before) => choose?.(text.toLowerCase().replaceAll('_', '-'), before));
}

const listFlags = (command: Command): Command =>
  addPeriodFlags(
    command
      .option('-e, --event <name>', 'only events of this name')
      .option('--id <id>', 'only this event id, or key')
      .option('--contains <text>', 'only those whose body holds this text, like the id of a charge')
      .addOption(
        stateFlag('only those in this forwarding state', [
          'waiting',
          'delivered',
          'given-up',
          'not-forwarded',
        ]),
      ),
    'received',
  )
    .option('-n, --limit <n>', 'at most this many (default: 50)')
    .option('--all', 'every one');

function addShowVerb(parent: Command, runtime: Runtime): void {
  const show = parent
    .command('show')
    .description('show everything about one event: headers, signature, body, each attempt to forward it')
    .argument('[event id]', 'event id, or key of the inbox')
    .option('--last', 'the newest event')
    .option('--body', 'only the body, byte for byte (on a terminal: made visible)')
    .option(
      '--secret-file <file>',
      'check the signature with this secret (default: those stored for the endpoints)',
    )
    .action(async (id: string | undefined, flags: ShowFlags) =>
      (await import('./inbox/show.ts')).show(runtime, id, flags),
    );
  withHelp(headerFlag(show), {
    prompts: { 'event id': async () => (await import('./choose.ts')).chooseInboxEntry(runtime) },
    examples: {
      'pixctl webhook show evt_123': 'everything about it',
      'pixctl webhook show --last': 'what came last',
      'pixctl webhook show evt_123 --body > event.json': 'the raw bytes',
    },
    view: async () => (await import('./view.ts')).entryView,
    exits: ['usage', 'notFound', 'storage'],
    exitWords: { notFound: noSuchEvent },
  });
}

const noSuchEvent = 'the inbox has no such event';

function addReplayVerb(parent: Command, runtime: Runtime): void {
  const replay = parent
    .command('replay')
    .description('forward received events again')
    .argument('[event ids...]', 'event ids, or keys of the inbox')
    .option(
      '-f, --forward-to <target>',
      'port, host:port/path or URL; may be repeated (default: every application that the listener sent it to)',
      collect,
    )
    .option('--last <n>', 'the newest n events')
    .option(
      '--failed',
      'every event that an application has not accepted; one that has accepted it does not get it again',
    )
    .option('--since <moment>', `every event received since: ${sinceForms}; days are ${zoneOfDays}`)
    .option('--contains <text>', 'every event whose body holds this text, like the id of a charge')
    .option('--until <moment>', 'of those, only what was received at or before; a day includes all of it')
    .option('-e, --event <name>', 'of those, only events of this name')
    .option('--identical', 'with the original signature, however old (default: signed again)')
    .option(
      '--set <path=value>',
      'send an edited copy: data.amount=1 (may be repeated; marked as edited)',
      collect,
    )
    .option('--secret-file <file>', 'sign with this secret (default: the one stored for the endpoint)')
    .option('--header <name: value>', 'also send this header to your application (may be repeated)', collect)
    .option(
      '--concurrency <n>',
      'how many events are sent to one address at the same time (default: 10; 1, in order, for ids and --contains)',
    )
    .option('--retries <n>', 'further attempts, with longer and longer pauses', '0')
    .option('--forward-timeout <duration>', 'time limit of one attempt', '30s')
    .option('--allow-remote', 'also forward to machines other than this one')
    .action(async (ids: string[], flags: ReplayFlags) =>
      (await import('./replay/replay.ts')).replay(runtime, ids, flags),
    );
  withHelp(headerFlag(replay), {
    dryRun: true,
    prompts: { 'event ids': async () => (await import('./choose.ts')).chooseInboxEntry(runtime) },
    view: async () => (await import('./view.ts')).replayedView,
    examples: {
      'pixctl webhook replay evt_123 -f 3000': 'one event, to an application on port 3000',
      'pixctl webhook replay evt_123': 'to every application that it went to',
      'pixctl webhook replay --failed':
        'what was given up, or still waits, and only where it was not accepted',
      'pixctl webhook replay --since 2026-01-31 --until 2026-01-31 --dry-run':
        'which of one day it would take',
      'pixctl webhook replay evt_123 --set data.amount=1': 'a copy that differs',
    },
    exits: ['usage', 'endedBadly', 'notFound', 'storage'],
    exitWords: {
      endedBadly:
        'an application did not answer every event with 2xx, or the reader of a pipe went away before all were sent',
      notFound: noSuchEvent,
    },
  });
}
