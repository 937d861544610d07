/**
 * What the protocol of a keyed charge is handed. It has no other access to the network, and no other clock or process.
 */
import type { Api } from '../api/client.ts';
import type { SendingDependencies } from '../sending/dependencies.ts';

export interface Dependencies extends SendingDependencies {
  /** Creates the charge, and lists the charges that may have come of it. */
  readonly api: Pick<Api, 'call' | 'pages'>;
}
