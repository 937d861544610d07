/**
 * Decides who may keep a connection when nearly all are taken: whoever has delivered something genuine, and whoever is
 * being answered. Anybody can open connections and say nothing, while the service, if turned away, has three attempts
 * in all.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../../clock.ts';

export interface ConnectionLimits {
  /** Connections at once. Node turns away whoever comes beyond them. */
  readonly maxConnections: number;
  /** With this many connections, strangers make room. */
  readonly evictionThreshold: number;
  /**
   * How long a stranger is left alone even so, because a delivery on a new connection comes right with it.
   * Milliseconds.
   */
  readonly patienceMs: number;
  /**
   * The same while all connections are taken and newcomers are turned away: time to read what came with one.
   * Milliseconds.
   */
  readonly fullPatienceMs: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  maxConnections: 1_000,
  evictionThreshold: 900,
  patienceMs: 2_000,
  fullPatienceMs: 250,
};

interface ConnectionLimiterOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly limits: ConnectionLimits;
  /** Connections now. */
  readonly count: () => number;
  readonly end: (socket: Socket) => void;
  /** Called with words for people, possibly for every connection that comes. */
  readonly onWarning: (text: string) => void;
}

export interface ConnectionLimiter {
  connectionOpened(socket: Socket): void;
  connectionClosed(socket: Socket): void;
  /** A delivery on it is being judged and answered: it keeps its connection unless the delivery is refused. */
  deliveryStarted(socket: Socket): void;
  deliveryRefused(socket: Socket): void;
  /** A connection was turned away. */
  connectionDropped(): void;
  close(): void;
}

export function createConnectionLimiter({
  clock,
  limits,
  count,
  end,
  onWarning,
}: ConnectionLimiterOptions): ConnectionLimiter {
  /** By connection: since when it has been a stranger. Oldest first. */
  const strangers = new Map<Socket, number>();
  let recheckTimer: NodeJS.Timeout | undefined;
  let recheckAt = Number.POSITIVE_INFINITY;

  const trackStranger = (socket: Socket) =>
    void (socket.destroyed || strangers.set(socket, clock.monotonic()));

  function makeRoom(): void {
    const patienceMs = count() < limits.maxConnections ? limits.patienceMs : limits.fullPatienceMs;
    const before = clock.monotonic() - patienceMs;
    for (const [socket, since] of strangers) {
      if (count() < limits.evictionThreshold) return;
      if (since > before) break;
      strangers.delete(socket);
      end(socket);
      onWarning(evictionWarning(limits));
    }
    // Those that are still too young are checked again later even if nobody else comes, because the next to come may be
    // the service.
    if (strangers.size === 0 || count() < limits.evictionThreshold) return;
    const at = clock.monotonic() + patienceMs;
    if (at >= recheckAt) return;
    clearTimeout(recheckTimer);
    recheckAt = at;
    recheckTimer = setTimeout(() => {
      recheckAt = Number.POSITIVE_INFINITY;
      makeRoom();
    }, patienceMs).unref();
  }

  return {
    connectionOpened(socket) {
      trackStranger(socket);
      if (count() >= limits.evictionThreshold) makeRoom();
    },
    connectionClosed: (socket) => void strangers.delete(socket),
    deliveryStarted: (socket) => void strangers.delete(socket),
    deliveryRefused: trackStranger,
    connectionDropped() {
      onWarning(fullWarning(limits));
      makeRoom();
    },
    close: () => clearTimeout(recheckTimer),
  };
}

const evictionWarning = ({ evictionThreshold, maxConnections }: ConnectionLimits): string =>
  `More than ${evictionThreshold} of the ${maxConnections} connections that this listener accepts at once are in use: those that have delivered nothing genuine are closed to make room. Somebody may be holding them open.`;

const fullWarning = ({ maxConnections }: ConnectionLimits): string =>
  `All ${maxConnections} connections that this listener accepts at once are in use, and others are turned away: a delivery among them has to come again. To see which the service could not make: pixctl webhook deliveries <endpoint id>`;
