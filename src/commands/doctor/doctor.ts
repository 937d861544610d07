/** `doctor`: runs every check, shows what each found, and exits with 78 if something is wrong. */
import { configError, kindForSignal, PixctlError } from '../../errors.ts';
import { parseWholeNumber, portBounds } from '../../flags/whole-number.ts';
import type { Runtime } from '../../runtime.ts';
import { formatCount } from '../../terminal/format-count.ts';
import { type Finding, findingView, showFindings, wrong } from './finding.ts';
import { inboxFindings } from './inbox.ts';
import { ledgerFindings } from './ledger.ts';
import { environmentFindings, nodeFinding, portFinding } from './machine.ts';
import { serviceFindings } from './service.ts';
import { fileFindings, keychainFinding, profileFinding, ruleFindings } from './settings.ts';

type Check = () => Promise<readonly Finding[]>;

export async function doctor(
  runtime: Runtime,
  { offline = false, port }: { offline?: boolean; port: string },
): Promise<void> {
  const output = await runtime.output(findingView);
  const listenerPort = parseWholeNumber('--port', port, { ...portBounds, min: 1 });
  const config = await runtime.config();
  const checks: Readonly<Record<string, Check>> = {
    node: async () => [nodeFinding(process.versions.node)],
    environment: async () => environmentFindings(runtime.environment, runtime.clock.now()),
    files: async () => fileFindings(config),
    keychain: async () => [await keychainFinding(config)],
    profile: async () => [await profileFinding(config)],
    rules: async () => ruleFindings(config),
    service: async () => (offline ? [] : serviceFindings(runtime)),
    ledger: () => ledgerFindings(runtime),
    inbox: () => inboxFindings(runtime),
    'listener port': async () => [await portFinding(listenerPort)],
  };

  const found: Finding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const some = await guarded(name, check);
    // A check that was cut short has found nothing.
    if (runtime.signal.aborted) break;
    found.push(...some);
  }
  await showFindings(output, found, runtime.io.stdoutIsTerminal);
  if (runtime.signal.aborted) throw stopped(runtime.signal);
  const bad = found.filter(({ state }) => state === 'wrong');
  const warned = found.filter(({ state }) => state === 'warning').length;
  const besides = warned === 0 ? '' : ` ${formatCount(warned, 'warning')} to check.`;
  if (bad.length === 0) return output.note(`Nothing is wrong.${besides}`);
  throw configError(
    'DOCTOR',
    `${bad.length} of ${found.length} checks found something wrong: ${bad.map(({ check }) => check).join(', ')}.`,
    'Each is shown with its remedy.',
  );
}

const stopped = ({ reason }: AbortSignal): PixctlError =>
  new PixctlError(
    kindForSignal(reason),
    'INTERRUPTED',
    `Stopped by ${String(reason)}: not everything was checked. Nothing was sent.`,
  );

/** Runs a check. One that fails is itself a finding, so that the others still run. */
async function guarded(name: string, check: Check): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof PixctlError)) throw error;
    return [wrong(name, error.message, error.hint ?? 'See the message.')];
  }
}
