/** The port of a listener that was given none: the usual one, so that an endpoint registered once stays right. */
import { PixctlError } from '../../../errors.ts';
import { defaultPort } from '../../../flags/whole-number.ts';
import { isListenerAt } from '../../../listener/port.ts';
import type { Output } from '../../../terminal/output.ts';
import type { SecretSource } from './ingress/secret-source.ts';
import type { ListenOptions } from './options.ts';

/** Listens on the usual port or, if that is taken, on any other. `onOther` is called if another listener has it. */
export async function listenOnDefaultPort<T>(
  { port }: Pick<ListenOptions, 'port'>,
  listenOn: (port: number) => Promise<T>,
  onOther: () => void,
  isListener: (port: number) => Promise<boolean> = isListenerAt,
): Promise<T> {
  if (port !== null) return listenOn(port);
  try {
    return await listenOn(defaultPort);
  } catch (cause) {
    if (!isOfThePort(cause)) throw cause;
  }
  const listener = await listenOn(0);
  if (await isListener(defaultPort)) onOther();
  return listener;
}

/** Whether the port is taken or set aside. Windows sets aside hundreds for Hyper-V, WSL or Docker. */
const isOfThePort = (cause: unknown): boolean =>
  cause instanceof PixctlError &&
  (cause.code === 'PORT_IN_USE' || (cause.cause as NodeJS.ErrnoException | undefined)?.code === 'EACCES');

/**
 * Tells of another listener: one forgotten in another terminal looks to the application like payments that come twice.
 */
export function reportOtherListener(
  { note, warn }: Pick<Output, 'note' | 'warn'>,
  { kind }: Pick<SecretSource, 'kind'>,
): void {
  const runs = `Another listener is using port ${defaultPort} of this machine, so this one uses another.`;
  const twice =
    'If it is registered with this service too, an application that both forward to gets each event twice, under two ids.';
  if (kind === 'register') warn(`${runs} ${twice}`);
  else note(runs);
}
