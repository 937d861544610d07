/**
 * Decides who may keep a connection when nearly all are taken: whoever is known, and whoever is being answered. Anybody
 * can open connections and say nothing, while the service, if a listener turns it away, has three attempts in all.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';

export interface ConnectionLimits {
  /** Connections at once. Node turns away whoever comes beyond them. */
  readonly maxConnections: number;
  /** With this many connections, strangers make room. */
  readonly evictionThreshold: number;
  /**
   * How long a stranger is left alone even so, because a request on a new connection comes right with it.
   * Milliseconds.
   */
  readonly patienceMs: number;
  /**
   * The same while all connections are taken and newcomers are turned away: time to read what came with one.
   * Milliseconds.
   */
  readonly fullPatienceMs: number;
}

/** Fewer than this many connections would be a nuisance even where files are few. */
const leastConnections = 8;

/** Returns the limits for at most this many connections at once. */
export function connectionLimitsFor(most: number): ConnectionLimits {
  const maxConnections = Math.max(leastConnections, Math.floor(most));
  const evictionThreshold = Math.floor(maxConnections * 0.9);
  return { maxConnections, evictionThreshold, patienceMs: 2_000, fullPatienceMs: 250 };
}

interface ConnectionLimiterOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly limits: ConnectionLimits;
  /** Connections now. */
  readonly count: () => number;
  readonly end: (socket: Socket) => void;
  /**
   * Called, possibly for every connection that comes: strangers are closed to make room, or a connection was turned
   * away.
   */
  readonly onPressure: (what: 'evicting' | 'full') => void;
}

export interface ConnectionLimiter {
  connectionOpened(socket: Socket): void;
  connectionClosed(socket: Socket): void;
  /** Its request is being judged and answered: it keeps its connection, unless it becomes a stranger again. */
  requestStarted(socket: Socket): void;
  requestRefused(socket: Socket): void;
  /** A connection was turned away. */
  connectionDropped(): void;
  close(): void;
}

export function createConnectionLimiter({
  clock,
  limits,
  count,
  end,
  onPressure,
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
      onPressure('evicting');
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
    requestStarted: (socket) => void strangers.delete(socket),
    requestRefused: trackStranger,
    connectionDropped() {
      onPressure('full');
      makeRoom();
    },
    close: () => clearTimeout(recheckTimer),
  };
}
