/**
 * Knows whether the applications that events go to can be reached. While one cannot, its events wait, and it is tried
 * again and again until it answers.
 */
import { connect } from 'node:net';
import type { Clock } from '../../clock.ts';
import { hostToConnect, portOf } from '../posting/target.ts';

export interface ApplicationWatch {
  isDown(url: string): boolean;
  /** Tries to connect once, and keeps trying in the background while it does not answer. */
  check(url: string): Promise<boolean>;
  /** Reports that a connection to it has just failed. */
  markDown(url: string): void;
}

interface ApplicationWatchOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when an application goes down and when it comes back. */
  readonly onChange: (url: string, answering: boolean) => void;
}

const firstProbeMs = 250;
const longestProbeMs = 2_000;

export function createApplicationWatch(options: ApplicationWatchOptions): ApplicationWatch {
  const down = new Set<string>();

  async function waitUntilConnectable(url: string, place: string): Promise<void> {
    for (let delay = firstProbeMs; !options.signal.aborted; delay = Math.min(longestProbeMs, delay * 2)) {
      await options.clock.sleep(delay, options.signal);
      if (options.signal.aborted || !(await canConnect(url))) continue;
      down.delete(place);
      return options.onChange(url, true);
    }
  }

  const watch: ApplicationWatch = {
    // Usually none is down, and then no address is parsed for each event.
    isDown: (url) => down.size > 0 && down.has(originOf(url)),
    async check(url) {
      if (await canConnect(url)) return true;
      watch.markDown(url);
      return false;
    },
    markDown(url) {
      const place = originOf(url);
      if (down.has(place)) return;
      down.add(place);
      options.onChange(url, false);
      void waitUntilConnectable(url, place);
    },
  };
  return watch;
}

const originOf = (url: string): string => new URL(url).origin;

/** A connection is enough: what the application would answer to a request is its own business. */
function canConnect(url: string): Promise<boolean> {
  const place = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostToConnect(place.hostname), port: portOf(place), timeout: 2_000 });
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });
}
