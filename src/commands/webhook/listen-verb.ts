/** Flags of `webhook listen`. */
import { type Command, Option } from 'commander';
import { exitWithStdinFlag } from '../../flags/exit-with-stdin.ts';
import { notReached, withHelp } from '../../flags/help.ts';
import { collect, sinceForms, zoneOfDays } from '../../flags/list-flags.ts';
import { defaultPort } from '../../flags/whole-number.ts';
import type { Runtime } from '../../runtime.ts';
import type { ListenFlags } from './listen/options.ts';
import { headerFlag, toleranceFlag } from './signature-flags.ts';

export function addListenVerb(webhook: Command, runtime: Runtime): void {
  const listen = webhook
    .command('listen')
    .description('receive deliveries on this machine: verify, store, answer, forward')
    .option(
      '-f, --forward-to <target>',
      'your application: a port, host:port/path or URL (may be repeated: each event goes to every one of them)',
      collect,
    )
    .option(
      '--route <EVENT=target>',
      'another target for one event, instead of these (may be repeated)',
      collect,
    )
    .option('-e, --events <a,b>', 'only these events are forwarded and shown; the others are only stored')
    .option('--port <n>', `port to listen on, 0 for any (default: ${defaultPort}, or any when that is taken)`)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--path <path>', 'accept deliveries at this path only (default: at any)')
    .option('--secret-file <file>', "file with the endpoint's signing secret (may be repeated)", collect)
    .option('--secret-stdin', 'read the secret from stdin')
    .option('--endpoint <id>', 'use the secret that `webhook add` stored for this endpoint')
    .option(
      '--register',
      'register this address with the service and store the secret (default on a sandbox)',
    )
    .option('--public-url <url>', 'address at which a tunnel of your own reaches this listener')
    .option('--tunnel <kind>', 'start a tunnel: cloudflared, ngrok or ssh:user@host[:port]')
    .option('--tunnel-port <n>', 'port that the SSH server opens (default: it chooses)')
    .option('--ssh-config <file>', 'configuration file for the ssh of the tunnel')
    .option(
      '--poll <duration>',
      'instead of deliveries: read the service this often (5s), and make events from what has changed',
    )
    .option(
      '--since <moment>',
      `with --poll: begin with what was created since: ${sinceForms}; days are ${zoneOfDays}`,
    )
    .addOption(
      new Option(
        '--ack <who>',
        'answer 200 once stored, or with the status of your application (of several: 2xx once all accepted)',
      )
        .choices(['store', 'app'])
        .default('store'),
    )
    .option(...toleranceFlag)
    .option('--header <name: value>', 'also send this header to your application (may be repeated)', collect)
    .option('--forward-timeout <duration>', 'time limit of one attempt to forward', '60s')
    .option('--attempts <n>', 'attempts that reach your application before giving up', '10')
    .option('--concurrency <n>', 'how many events are forwarded to one address at the same time', '10')
    .option('--allow-remote', 'also forward to machines other than this one')
    .option('--ui', 'serve a page that shows what arrives, on a port of its own on this machine')
    .option('--print-secret', 'also show the signing secret, for the settings of your application')
    .option('--exit-after <n>', 'stop after n events')
    .option(
      '--within <duration>',
      'with --exit-after: end with 82 when they have not arrived in this time, or have had no answer yet',
    )
    .option(...exitWithStdinFlag)
    .action(async (flags: ListenFlags) => (await import('./listen/listen.ts')).listen(runtime, flags));
  withHelp(headerFlag(listen), {
    view: async () => (await import('./listen/lines/lines.ts')).lineView,
    examples: {
      'pixctl webhook listen -f 3000': 'with a sandbox profile: nothing else is needed',
      'pixctl webhook listen -f 3000 -f 4000': 'to two applications, each with its own retries',
      'pixctl webhook listen -f 3000/webhooks --tunnel cloudflared --register':
        'deliveries of the service itself, through a tunnel',
      'pixctl webhook listen -f 3000 --poll 5s': 'without a public address',
      "pixctl webhook listen -f 3000 -o ndjson --jq '.event // empty'":
        'one event per line, for a program; -o json is one array, closed at the end',
      "pixctl webhook listen -o ndjson --fields event,body --jq '.body.data // empty'":
        'what each event says, too; body is shown only where --fields names it',
      'pixctl webhook listen -f 3000 --exit-after 1 --within 60s':
        'in a pipeline: ends with 0 once your application has accepted one event',
    },
    exits: [
      'usage',
      'storage',
      'later',
      'auth',
      'config',
      'refused',
      'unknown',
      'pending',
      'endedBadly',
      'interrupted',
    ],
    exitWords: {
      later: `${notReached}; or the tunnel did not start`,
      unknown: 'OUTCOME UNKNOWN: the endpoint may be registered',
      pending: 'with --exit-after: the events did not come, or had no answer yet',
      endedBadly: 'with --exit-after: your application did not accept an event',
      interrupted: 'stopped by Ctrl-C',
    },
    more: 'A delivery is answered with 200 once it is on disk, and then forwarded until your application answers it with 2xx (exit 83 when --exit-after ends before that). What is not forwarded yet is forwarded by the next run.',
  });
}
