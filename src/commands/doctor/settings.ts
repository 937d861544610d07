/** Whether settings and secrets are ours alone, and whether there is a profile with a key. */
import { join } from 'node:path';
import { type Config, environmentProfile } from '../../config/profile.ts';
import { type Finding, ok, wrong } from './finding.ts';

export function fileFindings(config: Config): Finding[] {
  const { directories } = config;
  const paths = [
    { path: directories.config, what: 'directory' },
    { path: config.path, what: 'file' },
    { path: join(directories.config, 'secrets.json'), what: 'file' },
    { path: directories.state, what: 'directory' },
  ] as const;
  return paths.map(({ path, what }) => {
    const problem = config.judge(path, what);
    if (problem === 'absent') return ok('files', `${path} does not exist yet`);
    return problem === undefined
      ? ok('files', `${path} is yours alone`)
      : wrong('files', `${path}: ${problem.fault}`, problem.remedy);
  });
}

export async function keychainFinding(config: Config): Promise<Finding> {
  const fault = await config.probeKeychain();
  return ok('keychain', fault === null ? 'works' : `not used, secrets lie in a file of mode 0600 (${fault})`);
}

export async function profileFinding(config: Config): Promise<Finding> {
  const { name, baseUrl, merchant, keySource } = config.profile();
  const found = `${name}: ${baseUrl}, merchant ${merchant}, key from ${keySource}`;
  const key = await config.apiKey();
  const remedy =
    name === environmentProfile
      ? 'Set PIXCTL_API_KEY, or run pixctl login.'
      : `pixctl login --profile ${name}`;
  return key === null ? wrong('profile', found, remedy) : ok('profile', found);
}
