/** Puts the listener together: server, receiver, forward queue. What happens comes out as reports. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { signAt } from '../contract/signature.ts';
import { fingerprint } from './event-facts.ts';
import { createApplicationWatch } from './forwarding/application.ts';
import { defaultRetryPolicy, type RetryPolicy } from './forwarding/backoff.ts';
import { createForwarder } from './forwarding/forwarder.ts';
import { withHeaders } from './posting/extra-headers.ts';
import { createPost, type PostTrace } from './posting/post.ts';
import type { Targets } from './posting/targets.ts';
import type { OtherSecret } from './receiving/delivery-verifier.ts';
import { createReceiver, notReady, type Receiver } from './receiving/receive.ts';
import { startServer } from './receiving/server.ts';
import type { Report } from './report.ts';
import { createReporter } from './reporter.ts';
import type { Headers, Store } from './store.ts';

export interface ListenerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly host: string;
  readonly port: number;
  readonly path: string | null;
  readonly signatureHeader: string;
  /** The user's own headers, sent with every forward. */
  readonly headers?: Headers;
  readonly toleranceMs: number | null;
  readonly targets: Targets;
  readonly ack: 'store' | 'app';
  /** At most this many forwards to each address at once. */
  readonly concurrency: number;
  /** Bound on one forward. Milliseconds. */
  readonly forwardTimeoutMs: number;
  /** `--debug`: is told about each forward. */
  readonly trace?: PostTrace | undefined;
  readonly policy?: RetryPolicy;
  readonly sweepEveryMs?: number;
  readonly onReport: (report: Report) => void;
  readonly onApplication: (url: string, answering: boolean) => void;
  readonly onTrouble: (cause: unknown) => void;
}

export interface Listener {
  readonly port: number;
  /** Unique to this run. A GET is answered with it. */
  readonly instance: string;
  /**
   * Takes deliveries from now on; until then they are answered with 503. What `others` signed is reported as theirs.
   */
  setSecrets(secrets: readonly string[], others?: readonly OtherSecret[]): void;
  /** What came before that, preferring a POST. A request of pixctl's own does not count. */
  earlyRequestMethod(): 'POST' | 'GET' | null;
  /** Fingerprints of the secrets in use. */
  sources(): readonly string[];
  readonly receiveSynthetic: Receiver['receiveSynthetic'];
  /**
   * Starts to forward what is owed from earlier runs, and checks whether the applications answer. `unnamed`: addresses
   * to which something is owed and that this run does not name.
   */
  startForwarding(unnamed?: readonly string[]): void;
  /** Answers what is under way, gives forwards a moment to end, and stops. Every event has been reported by then. */
  stop(): Promise<void>;
}

const graceMs = 2_000;

export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { clock, targets, onTrouble } = options;
  const stopping = new AbortController();
  const instance = randomBytes(9).toString('base64url');
  let secrets: ReadonlyMap<string, string> | null = null;
  let others: readonly OtherSecret[] = [];
  let early: 'POST' | 'GET' | null = null;

  const application = createApplicationWatch({
    clock,
    signal: stopping.signal,
    onChange(url, answering) {
      options.onApplication(url, answering);
      if (answering) forwarder.sweep().catch(onTrouble);
    },
  });
  const { post, close: closePost } = createPost(clock, {
    connections: options.concurrency,
    trace: options.trace,
  });
  const reporter = createReporter(options.onReport);
  const forwarder = createForwarder({
    ...options,
    post: withHeaders(post, options.headers ?? []),
    application,
    sources: () => [...(secrets?.keys() ?? [])],
    sign(source, body) {
      const secret = secrets?.get(source);
      return secret === undefined ? null : signAt({ secret, body, now: clock.now() });
    },
    timeoutMs: options.forwardTimeoutMs,
    policy: options.policy ?? defaultRetryPolicy,
    onAttempt: reporter.reportAttempt,
    onHeld: reporter.reportHeld,
    onTakenOver: reporter.reportTakenOver,
  });
  const receiver = createReceiver({
    ...options,
    secrets: () => secrets,
    otherSecrets: () => others,
    forwarder,
    isForwarded: (event) => targets.forEvent(event) !== null,
    severalFor: targets.severalForEvent,
    onStored: reporter.reportStored,
    onRejected(report) {
      if (report.reason === notReady) early = 'POST';
      options.onReport(report);
    },
  });
  const server = await startServer({
    ...options,
    receiver,
    instance,
    onRejected: options.onReport,
    onProbe() {
      if (secrets === null) early ??= 'GET';
    },
  });

  let stopped: Promise<void> | null = null;
  async function stop(): Promise<void> {
    stopping.abort();
    await server.close();
    await forwarder.stop(graceMs);
    closePost();
    reporter.flush();
  }

  return {
    port: server.port,
    instance,
    setSecrets(values, those = []) {
      others = those;
      secrets = new Map(values.map((secret) => [fingerprint(secret), secret]));
    },
    earlyRequestMethod: () => early,
    sources: () => [...(secrets?.keys() ?? [])],
    receiveSynthetic: receiver.receiveSynthetic,
    startForwarding(unnamed = []) {
      forwarder.addAddresses(unnamed);
      for (const url of targets.all) {
        const reportIfAnswering = (answers: boolean) => answers && options.onApplication(url, true);
        application.check(url).then(reportIfAnswering).catch(onTrouble);
      }
      if (targets.all.length > 0) void forwarder.run(stopping.signal);
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
