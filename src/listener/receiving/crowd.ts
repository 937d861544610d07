/**
 * Decides who may keep a connection when nearly all are taken: whoever has delivered something genuine, and whoever is
 * being answered. Anybody can open connections and say nothing, while the service, if turned away, has three attempts
 * in all.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../../clock.ts';

export interface CrowdLimits {
  /** Connections at once. Node turns away whoever comes beyond them. */
  readonly most: number;
  /** With this many connections, strangers make room. */
  readonly crowded: number;
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

export const crowdLimits: CrowdLimits = {
  most: 1_000,
  crowded: 900,
  patienceMs: 2_000,
  fullPatienceMs: 250,
};

export interface CrowdOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly limits: CrowdLimits;
  /** Connections now. */
  readonly count: () => number;
  readonly end: (socket: Socket) => void;
  /** Called with words for people, possibly for every connection that comes. */
  readonly onCrowded: (text: string) => void;
}

export interface Crowd {
  came(socket: Socket): void;
  left(socket: Socket): void;
  /** A delivery on it is being judged and answered: it keeps its connection unless the delivery is refused. */
  delivers(socket: Socket): void;
  refused(socket: Socket): void;
  /** A connection was turned away. */
  dropped(): void;
  close(): void;
}

export function createCrowd({ clock, limits, count, end, onCrowded }: CrowdOptions): Crowd {
  /** By connection: since when it has been a stranger. Oldest first. */
  const strangers = new Map<Socket, number>();
  let later: NodeJS.Timeout | undefined;
  let laterAt = Number.POSITIVE_INFINITY;

  const stay = (socket: Socket) => void (socket.destroyed || strangers.set(socket, clock.monotonic()));

  function makeRoom(): void {
    const patienceMs = count() < limits.most ? limits.patienceMs : limits.fullPatienceMs;
    const before = clock.monotonic() - patienceMs;
    for (const [socket, since] of strangers) {
      if (count() < limits.crowded) return;
      if (since > before) break;
      strangers.delete(socket);
      end(socket);
      onCrowded(crowdedText(limits));
    }
    // Those that are still too young are checked again later even if nobody else comes, because the next to come may be
    // the service.
    if (strangers.size === 0 || count() < limits.crowded) return;
    const at = clock.monotonic() + patienceMs;
    if (at >= laterAt) return;
    clearTimeout(later);
    laterAt = at;
    later = setTimeout(() => {
      laterAt = Number.POSITIVE_INFINITY;
      makeRoom();
    }, patienceMs).unref();
  }

  return {
    came(socket) {
      stay(socket);
      if (count() >= limits.crowded) makeRoom();
    },
    left: (socket) => void strangers.delete(socket),
    delivers: (socket) => void strangers.delete(socket),
    refused: stay,
    dropped() {
      onCrowded(fullText(limits));
      makeRoom();
    },
    close: () => clearTimeout(later),
  };
}

const crowdedText = ({ crowded, most }: CrowdLimits): string =>
  `More than ${crowded} of the ${most} connections that this listener accepts at once are in use: those that have delivered nothing genuine are closed to make room. Somebody may be holding them open.`;

const fullText = ({ most }: CrowdLimits): string =>
  `All ${most} connections that this listener accepts at once are in use, and others are turned away: a delivery among them has to come again. To see which the service could not make: pixctl webhook deliveries <endpoint id>`;
