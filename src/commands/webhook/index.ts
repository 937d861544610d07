/**
 * `pixctl webhook`: flags only; each verb's body is loaded when it runs. There is one file per family of verbs, with
 * their bodies in folders. What several folders share is at the top, and depends on none of them. Endpoints and their
 * secrets, which most verbs need, have folders of their own.
 */
import { Command } from 'commander';
import { notReached, withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import { addEndpointVerbs } from './endpoint-verbs.ts';
import { addInboxVerbs } from './inbox-verbs.ts';
import { addListenVerb } from './listen-verb.ts';
import { addOfflineVerbs } from './offline-verbs.ts';

/** Makes `pixctl webhook`. For a line that begins with `webhook listen`, the other verbs are not built. */
export function webhookCommand(runtime: Runtime, words: readonly string[] | 'all'): Command {
  const webhook = new Command('webhook')
    .description('receive, store, forward, replay and trigger webhook events')
    // Many verbs use no profile, but naming one that does not exist is still a slip.
    .hook('preAction', async () => {
      if (runtime.globals.profile === undefined) return;
      await (await import('../../runtime/every-profile.ts')).checkNamedProfile(runtime);
    });
  addListenVerb(webhook, runtime);
  if (words[0] === 'webhook' && words[1] === 'listen') return webhook;
  addInboxVerbs(webhook, runtime);
  addEndpointVerbs(webhook, runtime);
  addOfflineVerbs(webhook, runtime);
  return withHelp(webhook, {
    examples: {
      'pixctl webhook listen -f 3000': 'receive, and forward to an application on port 3000',
      'pixctl webhook inbox': 'what was received',
      'pixctl webhook trigger CHARGE_PAID -f 3000': 'an event without a payment',
    },
    exits: [],
    exitWords: {
      later: notReached,
      unknown: 'OUTCOME UNKNOWN: the endpoint may be registered',
      endedBadly: 'an application did not accept an event',
    },
  });
}
