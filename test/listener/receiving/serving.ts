/** The server of a listener on a free port of this machine, which hands each delivery to `receive`. */
import { systemClock } from '../../../src/clock.ts';
import type { Answer } from '../../../src/listener/receiving/receive.ts';
import { type ServerOptions, startServer } from '../../../src/listener/receiving/server.ts';

type Receive = (headers: unknown, body: Uint8Array) => Promise<Answer>;

/** What goes wrong is added to `troubles`. */
export const serving = (receive: Receive, troubles: unknown[] = [], more: Partial<ServerOptions> = {}) =>
  startServer({
    host: '127.0.0.1',
    port: 0,
    path: null,
    signatureHeader: 'Service-Signature',
    instance: 'this-one',
    clock: systemClock,
    receiver: { receive },
    onRejected: () => {},
    onProbe: () => {},
    onTrouble: (cause) => troubles.push(cause),
    ...more,
  });
