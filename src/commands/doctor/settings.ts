/** Whether settings and secrets are ours alone, and whether there is a profile with a key. */
import { join } from 'node:path';
import type { Config } from '../../config/profile.ts';
import { PixctlError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';

export async function settingsFindings(runtime: Runtime): Promise<Finding[]> {
  const config = await runtime.config();
  return [...fileFindings(config), await keychainFinding(config), ...(await profileFindings(config))];
}

function fileFindings(config: Config): Finding[] {
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

async function keychainFinding(config: Config): Promise<Finding> {
  const fault = await config.probeKeychain();
  return fault === null
    ? ok('keychain', 'works')
    : warning('keychain', `not used: ${fault}`, 'None needed: secrets lie in a file of mode 0600 instead.');
}

async function profileFindings(config: Config): Promise<Finding[]> {
  try {
    const profile = config.profile();
    const shown = `${profile.name}: ${profile.baseUrl}, merchant ${profile.merchant}, key from ${profile.keySource}`;
    const key = await config.apiKey();
    if (key === null) return [wrong('profile', `${shown}`, `pixctl login --profile ${profile.name}`)];
    return [ok('profile', shown)];
  } catch (error) {
    if (!(error instanceof PixctlError)) throw error;
    return [wrong('profile', error.message, error.hint ?? 'pixctl login')];
  }
}
