/** Keeps a tunnel up by starting it again when its program ends: connections drop, and laptops sleep. */
import type { TunnelPlan } from './plan.ts';
import { type RunningTunnel, startTunnel, type TunnelOptions } from './start-tunnel.ts';

export interface KeptTunnelOptions extends Omit<TunnelOptions, 'plan'> {
  /** Says how to start it. `before`: its previous address, to be requested again if possible. */
  readonly plan: (before: string | null) => TunnelPlan;
  /** Whether what is sent to this address arrives here. Checked before the tunnel counts as back. */
  readonly leadsHere: (address: string, signal: AbortSignal) => Promise<boolean>;
  /** Called with its last words when it ends by itself. It is being started again. */
  readonly onEnded: (last: string) => void;
  readonly onBack: (address: string) => void;
}

export interface KeptTunnel {
  /** Its first public origin, without a path. */
  readonly address: string;
  stop(): Promise<void>;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** A tunnel that ends sooner than this does not count as back, and its provider must not be asked every second. */
const steadyAfterMs = 60_000;

/** Starts the tunnel and keeps it. Rejects as `startTunnel` does if it does not come up the first time. */
export async function keepTunnel(options: KeptTunnelOptions): Promise<KeptTunnel> {
  const { clock, onEnded, onBack } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  let current = await startTunnel({ ...options, plan: options.plan(null) });
  let pauseMs = firstPauseMs;
  const { address } = current;

  /** Tries once more. Null if it did not come up, or does not lead here. */
  async function tryRestart(): Promise<RunningTunnel | null> {
    let next: RunningTunnel;
    try {
      next = await startTunnel({ ...options, signal, plan: options.plan(address) });
    } catch {
      return null;
    }
    const leads = await Promise.race([options.leadsHere(next.address, signal), next.ended.then(() => false)]);
    if (leads && !signal.aborted) return next;
    await next.stop();
    return null;
  }

  async function restartUntilUp(): Promise<RunningTunnel | null> {
    while (!signal.aborted) {
      await clock.sleep(pauseMs, signal);
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
      const next = signal.aborted ? null : await tryRestart();
      if (next !== null) return next;
    }
    return null;
  }

  async function supervise(): Promise<void> {
    for (;;) {
      const since = clock.monotonic();
      const last = await current.ended;
      if (signal.aborted) return;
      if (clock.monotonic() - since >= steadyAfterMs) pauseMs = firstPauseMs;
      onEnded(last);
      const next = await restartUntilUp();
      if (next === null) return;
      current = next;
      onBack(next.address);
    }
  }

  const kept = supervise();
  return {
    address,
    async stop() {
      stopping.abort();
      await current.stop();
      await kept;
    },
  };
}
