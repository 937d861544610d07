/** Checks what about this machine decides whether pixctl works: Node, environment, the listener's port. */
import { proxyOf, proxyVariable } from '../../api/proxy.ts';
import { PixctlError } from '../../errors.ts';
import type { Environment } from '../../flags/environment.ts';
import { isTimeZoneInEffect, zoneRemedy } from '../../flags/time-zone.ts';
import { findPortError, isListenerAt } from '../../listener/port.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';

/** Compares Node's version with `engines` in package.json. */
export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const enough =
    (major === 22 && (minor > 22 || (minor === 22 && patch >= 2))) ||
    (major === 24 && minor >= 15) ||
    major >= 26;
  return enough
    ? ok('node', version)
    : wrong('node', version, 'Install Node 24 (24.15 or newer), 22.22.2 or newer of 22, or 26.');
}

/** Checks the environment. `now`: milliseconds since the epoch. */
export function environmentFindings(environment: Environment, now: number): Finding[] {
  const findings: Finding[] = [];
  const { TZ } = environment;
  if (TZ && !isTimeZoneInEffect(TZ, now)) {
    findings.push(
      warning('time zone', `TZ=${TZ} is not a time zone known here: tables show UTC`, zoneRemedy),
    );
  }
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    findings.push(
      wrong(
        'tls',
        'NODE_TLS_REJECT_UNAUTHORIZED=0 is set; pixctl verifies certificates even so; other Node programs of this shell do not',
        'Unset it; NODE_EXTRA_CA_CERTS adds a CA of your own.',
      ),
    );
  }
  findings.push(proxyFinding(environment));
  if (environment.PIXCTL_API_KEY) {
    findings.push(
      warning(
        'environment',
        'PIXCTL_API_KEY is set: every program started from this shell can read it',
        'On a machine of your own: pixctl login.',
      ),
    );
  }
  return findings;
}

function proxyFinding(environment: Environment): Finding {
  try {
    const proxy = proxyOf(environment);
    if (proxy === null) return ok('proxy', 'none');
    return ok('proxy', `${proxyVariable(environment)}=${withoutCredentials(new URL(proxy))}`);
  } catch (error) {
    if (!(error instanceof PixctlError)) throw error;
    return wrong('proxy', error.message, error.hint ?? '');
  }
}

const withoutCredentials = ({ protocol, username, password, host }: URL): string =>
  `${protocol}//${username === '' && password === '' ? '' : '****@'}${host}`;

/** Checks whether 127.0.0.1:<port> is free. */
export async function portFinding(port: number): Promise<Finding> {
  const fault = await findPortError(port);
  if (fault === null) return ok('listener port', `127.0.0.1:${port} is free`);
  if (await isListenerAt(port))
    return ok('listener port', `a pixctl webhook listen runs at 127.0.0.1:${port}`);
  return warning(
    'listener port',
    `127.0.0.1:${port} cannot be used (${fault})`,
    'pixctl webhook listen --port <another>.',
  );
}
