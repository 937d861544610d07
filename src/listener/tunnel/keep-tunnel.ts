/** A tunnel that is started again when its program ends: connections drop, and laptops sleep. */
import type { TunnelPlan } from './plan.ts';
import { type RunningTunnel, startTunnel, type TunnelOptions } from './start-tunnel.ts';

export interface KeptTunnelOptions extends Omit<TunnelOptions, 'plan'> {
  /** How to start it; `before` is the address that it had, to be asked for again where that can be. */
  readonly plan: (before: string | null) => TunnelPlan;
  /** Whether what comes to this address arrives here; asked before it counts as back. */
  readonly leadsHere: (address: string, signal: AbortSignal) => Promise<boolean>;
  /** It ended by itself, with its last words; it is being started again. */
  readonly onEnded: (last: string) => void;
  readonly onBack: (address: string) => void;
}

export interface KeptTunnel {
  /** Public origin that it had first, without a path. */
  readonly address: string;
  stop(): Promise<void>;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** A tunnel that ends sooner is not back for good, and its provider must not be asked every second. */
const steadyAfterMs = 60_000;

/** Rejects as `startTunnel` does when it does not come up the first time. */
export async function keepTunnel(options: KeptTunnelOptions): Promise<KeptTunnel> {
  const { clock, onEnded, onBack } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  let current = await startTunnel({ ...options, plan: options.plan(null) });
  let pauseMs = firstPauseMs;
  const { address } = current;

  /** One more try; null when it did not come up, or does not lead here. */
  async function once(): Promise<RunningTunnel | null> {
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

  async function again(): Promise<RunningTunnel | null> {
    while (!signal.aborted) {
      await clock.sleep(pauseMs, signal);
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
      const next = signal.aborted ? null : await once();
      if (next !== null) return next;
    }
    return null;
  }

  async function keep(): Promise<void> {
    for (;;) {
      const since = clock.monotonic();
      const last = await current.ended;
      if (signal.aborted) return;
      if (clock.monotonic() - since >= steadyAfterMs) pauseMs = firstPauseMs;
      onEnded(last);
      const next = await again();
      if (next === null) return;
      current = next;
      onBack(next.address);
    }
  }

  const kept = keep();
  return {
    address,
    async stop() {
      stopping.abort();
      await current.stop();
      await kept;
    },
  };
}
