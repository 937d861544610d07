/** What `webhook listen` was told, parsed: nothing is started before all of it makes sense. */
import { usageError } from '../../errors.ts';
import { parseDuration } from '../../flags/duration.ts';
import { defaultRetryPolicy, type RetryPolicy } from '../../listener/backoff.ts';
import { readHeaders } from '../../listener/extra-headers.ts';
import type { Headers } from '../../listener/store.ts';
import { readTargets, type Targets } from '../../listener/targets.ts';
import { planTunnel, type TunnelPlan } from '../../listener/tunnel/plan.ts';
import { parseEvents } from './event-choice.ts';
import { parseCount, parseMoment } from './moment.ts';
import type { SecretFlags } from './secrets.ts';

export interface ListenFlags extends SecretFlags {
  readonly forwardTo?: string;
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
}

export interface ListenOptions {
  readonly targets: Targets;
  /** Null: every event. */
  readonly events: readonly string[] | null;
  /** Null: the usual one, or any when that is taken. */
  readonly port: number | null;
  readonly host: string;
  readonly path: string | null;
  readonly register: boolean;
  readonly publicUrl: string | null;
  /** How the tunnel is started, once the port is known; `before` is the address that it had. */
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
}

/** Throws `usageError` (64). `now` in milliseconds since the epoch. */
export function readListenOptions(
  flags: ListenFlags,
  now: number,
  warn: (text: string) => void,
): ListenOptions {
  const events = flags.events === undefined ? null : parseEvents(flags.events, warn);
  const { forwardTo, route: routes = [], allowRemote = false, ack } = flags;
  const targets = readTargets({ forwardTo, routes, events, allowRemote });
  if (ack === 'app' && targets.all.length === 0) {
    throw usageError('--ack app needs --forward-to: there is no application whose status could be relayed.');
  }
  if (flags.since !== undefined && flags.poll === undefined) {
    throw usageError('--since belongs to --poll.');
  }
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(flags.signatureHeader)) {
    throw usageError(`"${flags.signatureHeader}" cannot be the name of a header.`);
  }
  return {
    ...{ targets, events, ack },
    port: flags.port === undefined ? null : parseCount('--port', flags.port, 0, 65_535),
    host: flags.host,
    path: flags.path === undefined ? null : readPath(flags.path),
    register: flags.register === true,
    publicUrl: flags.publicUrl === undefined ? null : readPublicUrl(flags.publicUrl),
    tunnel: readTunnel(flags),
    pollMs: flags.poll === undefined ? null : readPoll(flags.poll),
    since: flags.since === undefined ? null : parseMoment(flags.since, now),
    toleranceMs: flags.tolerance === 'none' ? null : parseDuration(flags.tolerance),
    signatureHeader: flags.signatureHeader,
    headers: readHeaders(flags.header ?? [], flags.signatureHeader),
    forwardTimeoutMs: atLeastOneSecond('--forward-timeout', flags.forwardTimeout),
    policy: { ...defaultRetryPolicy, attempts: parseCount('--attempts', flags.attempts, 1, 1_000) },
    concurrency: parseCount('--concurrency', flags.concurrency, 1, 256),
    ui: flags.ui === true,
    printSecret: flags.printSecret === true,
    exitAfter:
      flags.exitAfter === undefined ? null : parseCount('--exit-after', flags.exitAfter, 1, 1_000_000_000),
  };
}

function readTunnel(flags: ListenFlags): ListenOptions['tunnel'] {
  const { tunnel, sshConfig } = flags;
  if (tunnel === undefined) {
    if (flags.tunnelPort === undefined && sshConfig === undefined) return null;
    throw usageError('--tunnel-port and --ssh-config belong to --tunnel ssh:user@host.');
  }
  const remotePort =
    flags.tunnelPort === undefined ? 0 : parseCount('--tunnel-port', flags.tunnelPort, 1, 65_535);
  const plan = (port: number, before: string | null) =>
    planTunnel({ tunnel, port, remotePort: remotePort || portOf(before), sshConfig });
  plan(0, null);
  return plan;
}

/** A port that an SSH server chose is asked for again, so that the address stays. */
const portOf = (address: string | null): number => (address === null ? 0 : Number(new URL(address).port));

function readPath(text: string): string {
  if (!/^\/[^\s?#]*$/.test(text)) throw usageError(`"${text}" is not a path.`, 'Like --path /webhooks/pix.');
  return text;
}

function readPublicUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw usageError(
      `"${text}" is not a public address.`,
      'Like --public-url https://me.example.com/webhooks.',
    );
  }
  return url.href;
}

const readPoll = (text: string): number => atLeastOneSecond('--poll', text);

function atLeastOneSecond(flag: string, text: string): number {
  const ms = parseDuration(text);
  if (ms < 1_000) throw usageError(`${flag} takes at least one second.`);
  return ms;
}
