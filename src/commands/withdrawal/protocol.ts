/** Assembles what the withdrawal protocol is handed. */
import { randomUUID } from 'node:crypto';
import { environmentProfile, type Profile } from '../../config/profile.ts';
import { isPostgres } from '../../database/address.ts';
import { type Scope, scopeOf } from '../../ledger/intent.ts';
import { rethrowUnsent } from '../../runtime/sending.ts';
import { usesSandboxKey } from '../../runtime/uses-sandbox-key.ts';
import { warnIfWorldWritable } from '../../runtime/world-writable.ts';
import type { Runtime } from '../../runtime.ts';
import { longestExchangeMs } from '../../sending/still-sending.ts';
import { escapeJson } from '../../terminal/escape.ts';
import { type Dependencies, serviceOf } from '../../withdrawal/dependencies.ts';

/** How long `--wait`, `--if-busy wait` and `withdrawal wait` go on without `--timeout`. Milliseconds. */
export const defaultWaitMs = 600_000;

export interface Protocol {
  readonly scope: Scope;
  readonly dependencies: Dependencies;
}

/**
 * Opens ledger and client. An interrupt stops whatever waits. An exchange in flight is heard to its end, and a note
 * says so.
 */
export const openProtocol = (runtime: Runtime): Promise<Protocol> => open(runtime).catch(rethrowUnsent);

async function open(runtime: Runtime): Promise<Protocol> {
  const profile = (await runtime.config()).profile();
  const [api, ledger, { createOwners }, output] = await Promise.all([
    runtime.api(),
    runtime.ledger(),
    import('../../owner/create-owners.ts'),
    runtime.output(),
  ]);
  const isShared = isPostgres(runtime.environment.PIXCTL_LEDGER_URL ?? '');
  if (isUnlabelled(profile) && isShared)
    output.note(
      'No merchant label: this shared ledger records it under "default", where a withdrawal of another merchant with the same key would be taken for this one. Set PIXCTL_MERCHANT.',
    );
  await warnIfWorldWritable(runtime, ledger.location);
  runtime.flight.outcomeHint =
    'Run the same command again, with the same idempotency key or file: it finds out what happened, and never sends twice.';
  let isSandbox: Promise<boolean> | undefined;
  let inFlight = false;
  let sent = false;
  runtime.signal.addEventListener('abort', () => {
    if (inFlight && runtime.flight.hasSent)
      output.warn(
        'Interrupted while a withdrawal is being sent: waiting for the answer, to record it. Interrupt again to stop at once (exit 81); the next run then finds out what happened.',
      );
  });
  return {
    scope: scopeOf(profile),
    dependencies: {
      ledger,
      clock: runtime.clock,
      service: serviceOf(api),
      // Asked once for all lines of a file.
      isSandbox: () => {
        isSandbox ??= usesSandboxKey(runtime);
        return isSandbox;
      },
      owners: await createOwners(),
      newId: randomUUID,
      // It may hold what the service answered, and must stay readable for a parser.
      logLastResort: (line) => runtime.io.writeError(escapeJson(line)),
      requestTimeoutMs: Math.min(api.timeoutMs, longestExchangeMs),
      signal: runtime.signal,
      onPause: (ms) =>
        output.note(
          `The service refused it and asks to wait: in ${Math.ceil(ms / 1000)} s its list is read, to make sure nothing moved ...`,
        ),
      onRefusalWait: (ms) =>
        output.note(
          `The same amount to the same PIX key was refused a moment ago: in ${Math.ceil(ms / 1000)} s the service's list is read, to make sure nothing moved ...`,
        ),
      onPhase: (phase) => {
        if (phase === 'sending') runtime.flight.hasSent = false;
        inFlight = phase === 'sending' || phase === 'recording';
        sent ||= phase === 'sending';
        // What was sent, in this run or an earlier one, outweighs "nothing was sent".
        runtime.flight.outcomeUnknown = sent || phase === 'reconciling' || phase === 'following';
      },
    },
  };
}

/** Whether neither a profile nor the environment names whose money it is. */
const isUnlabelled = ({ name, merchant }: Profile): boolean =>
  name === environmentProfile && merchant === 'default';
