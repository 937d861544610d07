/** Checks whether settings and secrets are ours alone, and whether there is a profile with a key. */
import { join } from 'node:path';
import { type Config, environmentProfile, type Profile } from '../../config/profile.ts';
import { PixctlError, removeNothingSent } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import { isTimeZone } from '../../flags/time-zone.ts';
import { parseTimeoutSetting } from '../../runtime/open-client.ts';
import { formatCount } from '../../terminal/format-count.ts';
import { readDestinations } from '../../withdrawal/policy/destinations.ts';
import { readPolicy } from '../../withdrawal/policy/settings.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { explainNotCreatable, stateRemedy } from './state-file.ts';

/** One finding for each file and directory of ours. */
export function fileFindings(config: Config): Finding[] {
  const { directories } = config;
  const paths = [
    { path: directories.config, what: 'directory' },
    { path: config.path, what: 'file' },
    { path: join(directories.config, 'secrets.json'), what: 'file' },
    { path: directories.state, what: 'directory' },
  ] as const;
  return paths.map(({ path, what }) => {
    const problem = config.findFileProblem(path, what);
    if (problem === 'absent') return absent(path, path === directories.state);
    if (problem !== undefined) return wrong('files', `${path}: ${problem.fault}`, problem.remedy);
    const may = what === 'file' ? 'read' : 'write to';
    return ok(
      'files',
      config.hasModes ? `only you may ${may} ${path}` : `${path} (not looked at: who may ${may} it)`,
    );
  });
}

/** Checks what does not exist yet. It is created when needed if possible, which it is not in a read-only container. */
function absent(path: string, isState: boolean): Finding {
  const fault = explainNotCreatable(path);
  if (fault === null) return ok('files', `${path} does not exist yet`);
  return warning(
    'files',
    `${path} does not exist and cannot be created (${fault})`,
    isState
      ? stateRemedy
      : 'login and config set need it: set PIXCTL_CONFIG_DIR, or give PIXCTL_BASE_URL and PIXCTL_API_KEY instead.',
  );
}

/**
 * Checks the settings that make commands exit with 78 if they make no sense. An unreadable file is reported with the
 * profile.
 */
export function ruleFindings(config: Config): Finding[] {
  try {
    config.settings();
  } catch {
    return [];
  }
  return [
    ruleFinding('policy', 'withdrawal', () => {
      readPolicy(config);
      return 'can be read';
    }),
    ruleFinding('destinations', 'withdrawal', () =>
      formatCount(readDestinations(config).size, 'saved destination'),
    ),
    // A readable timeout is not worth a line.
    ...[ruleFinding('timeout', 'request', () => String(parseTimeoutSetting(config.get('timeout'))))].filter(
      ({ state }) => state === 'wrong',
    ),
    ...zoneFindings(config.get('timeZone') ?? null),
  ];
}

/** Checks one setting. `ending`: what exits with 78 as long as it makes no sense. */
function ruleFinding(check: string, ending: 'withdrawal' | 'request', read: () => string): Finding {
  try {
    return ok(check, read());
  } catch (error) {
    if (!(error instanceof PixctlError)) throw error;
    return wrong(
      check,
      `${removeNothingSent(error.message)} Every ${ending} ends with 78.`,
      error.hint ?? '',
    );
  }
}

function zoneFindings(set: unknown): Finding[] {
  if (set === null || (typeof set === 'string' && isTimeZone(set))) return [];
  return [
    warning(
      'time zone',
      `the setting timeZone is ${JSON.stringify(set)}, which is not a time zone known here: without TZ, tables show the machine's own, and a day in --since ends with 78`,
      commandLine(['pixctl', 'config', 'set', 'timeZone', 'America/Sao_Paulo']),
    ),
  ];
}

/** Ok also without a keychain: secrets are kept in a file then. */
export async function keychainFinding(config: Config): Promise<Finding> {
  const fault = await config.probeKeychain();
  return ok(
    'keychain',
    fault === null
      ? 'answers'
      : `not used: secrets are stored in a file${config.hasModes ? ' of mode 0600' : ''} (${fault})`,
  );
}

/** Throws `config` (78) if no profile is in use; the caller makes that a finding. */
export async function profileFinding(config: Config): Promise<Finding> {
  const { name, baseUrl, merchant, keySource } = config.profile();
  const which = `${name}: ${baseUrl}, merchant ${merchant}`;
  const key = await config.apiKey();
  const remedy =
    name === environmentProfile
      ? 'Set PIXCTL_API_KEY, or run pixctl login.'
      : `pixctl login --profile ${name}`;
  return key === null
    ? wrong('profile', `${which}, but no API key${missingFrom[keySource] ?? ''}`, remedy)
    : ok('profile', `${which}, key from ${keySource}`);
}

const missingFrom: Partial<Record<Profile['keySource'], string>> = {
  file: ': it was stored in secrets.json, and is not there',
  keychain: ': it was stored in the keychain, and is not there',
};
