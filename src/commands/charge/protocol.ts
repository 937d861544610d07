/** Assembles what the protocol of a keyed charge is handed. */
import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../../keyed-charge/dependencies.ts';
import { type Scope, scopeOf } from '../../ledger/intent.ts';
import { createOwners } from '../../owner/create-owners.ts';
import { rethrowUnsent } from '../../runtime/sending.ts';
import { warnIfWorldWritable } from '../../runtime/world-writable.ts';
import type { Runtime } from '../../runtime.ts';
import { escapeJson } from '../../terminal/escape.ts';

export interface Protocol {
  readonly scope: Scope;
  readonly dependencies: Dependencies;
}

/** Opens ledger and client. `timeoutMs`: bound on the single request that creates the charge. */
export const openProtocol = (runtime: Runtime, timeoutMs: number): Promise<Protocol> =>
  open(runtime, timeoutMs).catch(rethrowUnsent);

async function open(runtime: Runtime, timeoutMs: number): Promise<Protocol> {
  const [api, ledger, owners, output] = await Promise.all([
    runtime.api(),
    runtime.ledger(),
    createOwners(),
    runtime.output(),
  ]);
  await warnIfWorldWritable(runtime, ledger.location);
  return {
    scope: scopeOf((await runtime.config()).profile()),
    dependencies: {
      api,
      ledger,
      owners,
      clock: runtime.clock,
      newId: randomUUID,
      logLastResort: (line) => output.warn(escapeJson(line)),
      requestTimeoutMs: timeoutMs,
      signal: runtime.signal,
    },
  };
}
