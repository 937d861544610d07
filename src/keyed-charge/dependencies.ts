/** What the protocol of a keyed charge is handed. It has no other way to the network, no other clock or process. */
import type { Api } from '../api/client.ts';
import type { SendingDependencies } from '../sending/dependencies.ts';

export interface Dependencies extends SendingDependencies {
  /** Creates the charge, and lists what it can have become. */
  readonly api: Pick<Api, 'call' | 'pages'>;
}
