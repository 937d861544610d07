/** Starts the tunnel of `webhook listen`, keeps it up, and reports what happens to it. */
import type { Listener } from '../../../../listener/listen.ts';
import { type KeptTunnel, keepTunnel } from '../../../../listener/tunnel/keep-tunnel.ts';
import { waitUntilReachable } from '../../../../listener/tunnel/probe.ts';
import type { Runtime } from '../../../../runtime.ts';
import { stoppedError } from '../../stopped-error.ts';
import type { ListenOptions } from '../options.ts';

/** Opens a tunnel that is kept up while the listener runs. What happens to it is reported. */
export async function openTunnel(
  runtime: Runtime,
  options: ListenOptions,
  { port, instance }: Pick<Listener, 'port' | 'instance'>,
): Promise<KeptTunnel | null> {
  const planFor = options.tunnel;
  if (planFor === null) return null;
  const { environment, clock, signal } = runtime;
  const output = await runtime.output();
  const plan = (before: string | null) => planFor(port, before);
  output.note(`Starting ${plan(null).program} ...`);
  let first: string | null = null;
  const leadsHere = async (address: string, ending: AbortSignal, timeoutMs = 15_000): Promise<boolean> => {
    const url = publicAddress(options, { address }) as string;
    const probe = { url, instance, clock, signal: ending, timeoutMs };
    return (await waitUntilReachable(probe)) === null;
  };
  /** Several addresses may lead here. What counts is the registered one. */
  const moved = async (address: string): Promise<void> => {
    if (options.publicUrl !== null || first === null || address === first) return;
    if ((await leadsHere(first, signal, 5_000)) || signal.aborted) return;
    output.warn(`The tunnel has another address now: ${address}. ${lost(first)}`);
  };
  try {
    const tunnel = await keepTunnel({
      plan,
      environment,
      clock,
      signal,
      leadsHere,
      onMoved: (address) => void moved(address),
      onEnded: (last) =>
        output.warn(
          `The tunnel has ended, so deliveries do not reach this listener. It is being started again. Its last output: ${last}`,
        ),
      onBack(address) {
        if (options.publicUrl !== null || address === first)
          return output.note(`The tunnel is back: ${address}`);
        output.warn(`The tunnel is back at another address: ${address}. ${lost(first)}`);
      },
    });
    first = tunnel.address;
    return tunnel;
  } catch (cause) {
    throw signal.aborted
      ? stoppedError(signal, 'the tunnel was not up yet, and nothing was registered')
      : cause;
  }
}

const lost = (registered: string | null): string =>
  `Deliveries to ${registered} do not arrive here; start the listener again to register the new address.`;

/** Returns what `--public-url` says, otherwise the tunnel's address with our path. */
export function publicAddress(
  { publicUrl, path }: ListenOptions,
  tunnel: Pick<KeptTunnel, 'address'> | null,
): string | null {
  if (publicUrl !== null) return publicUrl;
  return tunnel === null ? null : new URL(path ?? '/', tunnel.address).href;
}
