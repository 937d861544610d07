/** Assembles what the protocol of a keyed charge is handed. */
import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../../keyed-charge/dependencies.ts';
import { type Scope, scopeOf } from '../../ledger/intent.ts';
import { systemOwners } from '../../owner/this-process.ts';
import { warnOfOpenDirectory } from '../../runtime/open-directory.ts';
import { unsent } from '../../runtime/sending.ts';
import type { Runtime } from '../../runtime.ts';
import { escapeJson } from '../../terminal/escape.ts';

export interface Protocol {
  readonly scope: Scope;
  readonly dependencies: Dependencies;
}

/** Opens ledger and client. `timeoutMs`: bound on the single request that creates the charge. */
export async function openProtocol(runtime: Runtime, timeoutMs: number): Promise<Protocol> {
  try {
    return await open(runtime, timeoutMs);
  } catch (error) {
    throw unsent(error);
  }
}

async function open(runtime: Runtime, timeoutMs: number): Promise<Protocol> {
  const [api, ledger, owners, output] = await Promise.all([
    runtime.api(),
    runtime.ledger(),
    systemOwners(),
    runtime.output(),
  ]);
  await warnOfOpenDirectory(runtime, ledger.location);
  return {
    scope: scopeOf((await runtime.config()).profile()),
    dependencies: {
      api,
      ledger,
      owners,
      clock: runtime.clock,
      newId: randomUUID,
      rescue: (line) => output.warn(escapeJson(line)),
      requestTimeoutMs: timeoutMs,
      signal: runtime.signal,
    },
  };
}
