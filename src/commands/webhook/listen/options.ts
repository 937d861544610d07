/** Parses the flags of `webhook listen`. Nothing is started before all of them make sense. */
import { usageError } from '../../../errors.ts';
import { parseDuration } from '../../../flags/duration.ts';
import { warnOfUnknownEvents } from '../../../flags/event-name.ts';
import { rewrittenPath } from '../../../flags/file-remedies.ts';
import { isStdin } from '../../../flags/input.ts';
import { parseMoment, type TimeReference } from '../../../flags/moment.ts';
import { parseWholeNumber, portBounds } from '../../../flags/whole-number.ts';
import { defaultRetryPolicy, type RetryPolicy } from '../../../listener/forwarding/backoff.ts';
import { parseHeaders } from '../../../listener/posting/extra-headers.ts';
import { parseTargets, type Targets } from '../../../listener/posting/targets.ts';
import type { Headers } from '../../../listener/store.ts';
import { planTunnel, type TunnelPlan } from '../../../listener/tunnel/plan.ts';
import { isAll, parseEvents } from '../event-choice.ts';
import type { SecretFlags } from '../secrets/secrets.ts';
import { readTolerance } from '../signature-flags.ts';

export interface ListenFlags extends SecretFlags {
  readonly forwardTo?: readonly string[];
  readonly route?: readonly string[];
  readonly events?: string;
  readonly port?: string;
  readonly host: string;
  readonly path?: string;
  readonly register?: boolean;
  readonly publicUrl?: string;
  readonly tunnel?: string;
  readonly tunnelPort?: string;
  readonly sshConfig?: string;
  readonly poll?: string;
  readonly since?: string;
  readonly ack: 'store' | 'app';
  readonly tolerance: string;
  readonly signatureHeader: string;
  readonly header?: readonly string[];
  readonly forwardTimeout: string;
  readonly attempts: string;
  readonly concurrency: string;
  readonly allowRemote?: boolean;
  readonly ui?: boolean;
  readonly printSecret?: boolean;
  readonly exitAfter?: string;
  readonly within?: string;
  readonly exitWithStdin?: boolean;
}

export interface ListenOptions {
  readonly targets: Targets;
  /** Null: every event. */
  readonly events: readonly string[] | null;
  /** Null: the usual one, or any other if that is taken. */
  readonly port: number | null;
  readonly host: string;
  readonly path: string | null;
  readonly register: boolean;
  readonly publicUrl: string | null;
  /** How to start the tunnel once the port is known. `before`: its previous address. */
  readonly tunnel: ((port: number, before: string | null) => TunnelPlan) | null;
  readonly pollMs: number | null;
  readonly since: number | null;
  readonly ack: 'store' | 'app';
  readonly toleranceMs: number | null;
  readonly signatureHeader: string;
  readonly headers: Headers;
  readonly forwardTimeoutMs: number;
  readonly policy: RetryPolicy;
  readonly concurrency: number;
  readonly ui: boolean;
  readonly printSecret: boolean;
  readonly exitAfter: number | null;
  /** How long `exitAfter` events may take to come. */
  readonly withinMs: number | null;
  readonly exitWithStdin: boolean;
}

/** Reads the flags. Throws `usageError` (64). */
export function readListenOptions(
  flags: ListenFlags,
  reference: TimeReference,
  warn: (text: string) => void,
): ListenOptions {
  // "all" includes events whose names the document does not show.
  const events = flags.events === undefined || isAll(flags.events) ? null : parseEvents(flags.events, warn);
  const { forwardTo, route: routes = [], allowRemote = false, ack } = flags;
  const targets = parseTargets({ forwardTo, routes, events, allowRemote });
  // What --events names is checked there, and no route may name anything else.
  const routed = events === null ? routes.map((route) => route.replace(/=.*/s, '')) : [];
  warnOfUnknownEvents(routed, warn);
  refuseWhatNeedsMore(flags, targets);
  return {
    targets,
    events,
    ack,
    port: parseIfGiven(flags.port, (text) => parseWholeNumber('--port', text, portBounds)),
    host: flags.host,
    path: parseIfGiven(flags.path, readPath),
    register: flags.register === true,
    publicUrl: parseIfGiven(flags.publicUrl, readPublicUrl),
    tunnel: readTunnel(flags),
    pollMs: parseIfGiven(flags.poll, (text) => atLeastOneSecond('--poll', text)),
    since: parseIfGiven(flags.since, (text) => parseMoment('--since', text, reference)),
    toleranceMs: readTolerance(flags.tolerance),
    signatureHeader: flags.signatureHeader,
    headers: parseHeaders(flags.header ?? [], flags.signatureHeader),
    forwardTimeoutMs: atLeastOneSecond('--forward-timeout', flags.forwardTimeout),
    policy: {
      ...defaultRetryPolicy,
      attempts: parseWholeNumber('--attempts', flags.attempts, { min: 1, max: 1_000 }),
    },
    concurrency: parseWholeNumber('--concurrency', flags.concurrency, { min: 1, max: 256 }),
    ui: flags.ui === true,
    printSecret: flags.printSecret === true,
    exitWithStdin: flags.exitWithStdin === true,
    withinMs: parseIfGiven(flags.within, (text) => atLeastOneSecond('--within', text)),
    exitAfter: parseIfGiven(flags.exitAfter, (text) =>
      parseWholeNumber('--exit-after', text, { min: 1, max: 1_000_000_000 }),
    ),
  };
}

/** Reads a flag. Null if it was left out. */
const parseIfGiven = <T>(text: string | undefined, read: (text: string) => T): T | null =>
  text === undefined ? null : read(text);

function refuseWhatNeedsMore(flags: ListenFlags, targets: Targets): void {
  if (flags.ack === 'app' && targets.all.length === 0)
    throw usageError(
      '--ack app needs --forward-to: there is no application whose status could be relayed. Nothing was started.',
    );
  if (flags.since !== undefined && flags.poll === undefined)
    throw usageError('--since needs --poll. Nothing was started.');
  if (flags.within !== undefined && flags.exitAfter === undefined)
    throw usageError('--within needs --exit-after. Nothing was started.');
  const readsStdin = flags.secretStdin === true || [flags.secretFile ?? []].flat().some(isStdin);
  if (flags.exitWithStdin === true && readsStdin)
    throw usageError(
      '--exit-with-stdin cannot be given with a secret from stdin, which is read to its end. Nothing was started.',
      'Give the secret in a file (--secret-file) or in PIXCTL_WEBHOOK_SECRET.',
    );
}

/** Reads how the tunnel is started. Also refuses the flags of ssh where another program makes it, or none. */
function readTunnel({ tunnel, tunnelPort, sshConfig }: ListenFlags): ListenOptions['tunnel'] {
  const remotePort =
    tunnelPort === undefined ? 0 : parseWholeNumber('--tunnel-port', tunnelPort, { min: 1, max: 65_535 });
  const plan =
    tunnel === undefined
      ? null
      : (port: number, before: string | null) =>
          planTunnel({ tunnel, port, remotePort: remotePort || portOf(before), sshConfig });
  const program = plan?.(0, null).program;
  if (program !== 'ssh' && (tunnelPort !== undefined || sshConfig !== undefined))
    throw usageError('--tunnel-port and --ssh-config belong to --tunnel ssh:user@host. Nothing was started.');
  return plan;
}

/** Returns the port that an SSH server chose, to request it again so that the address stays. */
const portOf = (address: string | null): number => (address === null ? 0 : Number(new URL(address).port));

/** Returns the path as requests name it: `/wébhooks` comes as `/w%C3%A9bhooks`. */
function readPath(text: string): string {
  const url = /^\/[^\s?#]*$/.test(text) ? URL.parse(text, 'http://localhost') : null;
  // Two slashes would begin a host name.
  if (url === null || text.startsWith('//'))
    throw usageError(
      `"${text}" is not a path. Nothing was started.`,
      rewrittenPath(text) ?? 'For example, --path /webhooks/pix.',
    );
  return url.pathname;
}

function readPublicUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw usageError(
      `"${text}" is not a public address. Nothing was started.`,
      'For example, --public-url https://me.example.com/webhooks.',
    );
  }
  return url.href;
}

function atLeastOneSecond(flag: string, text: string): number {
  const ms = parseDuration(text, flag);
  if (ms < 1_000) throw usageError(`${flag} takes at least one second, not ${text}. Nothing was started.`);
  return ms;
}
