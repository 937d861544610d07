/** Checks the flags of `sandbox start` before the sandbox is loaded. */
import { sandboxProfile } from '../../../config/profile.ts';
import { isSandboxKey, sandboxKeyForm } from '../../../contract/sandbox-key.ts';
import { configError, usageError } from '../../../errors.ts';
import { parseDuration, refuseLonger } from '../../../flags/duration.ts';
import type { Globals } from '../../../flags/globals.ts';
import { isHostName, parseAddress } from '../../../flags/host.ts';
import { parseWholeNumber, portBounds } from '../../../flags/whole-number.ts';
import type { Runtime } from '../../../runtime.ts';
import type { SandboxOptions } from '../../../sandbox/sandbox.ts';
import { longestAdvanceMs } from '../../../sandbox/world/limits.ts';
import type { Progression, UndocumentedMode } from '../../../sandbox/world/settings.ts';

export interface StartFlags {
  readonly port: string;
  readonly host?: string;
  readonly allowHost: readonly string[];
  readonly state?: string;
  readonly undocumented: UndocumentedMode;
  readonly assume: readonly string[];
  readonly withdrawals: Progression;
  readonly withdrawalStep: string;
  readonly seed?: string;
  /** False with `--no-profile`. */
  readonly profile: boolean;
  readonly exitWithStdin?: true;
}

/** Returns the options. Throws `usageError` (64), and `configError` (78) for a bad key in the environment. */
export function sandboxOptions(
  flags: StartFlags,
  { globals, environment }: Pick<Runtime, 'globals' | 'environment'>,
): SandboxOptions {
  refuseOtherPlace(globals);
  const apiKey = environment.PIXCTL_SANDBOX_API_KEY || undefined;
  return {
    port: parseWholeNumber('--port', flags.port, portBounds),
    ...(flags.host === undefined ? {} : { host: listenAddress(flags.host) }),
    allowHosts: flags.allowHost.map(hostName),
    ...(apiKey === undefined ? {} : { apiKey: chosenKey(apiKey) }),
    undocumented: flags.undocumented,
    assume: Object.fromEntries(flags.assume.map(behaviour)),
    withdrawals: flags.withdrawals,
    withdrawalStepMs: step(flags.withdrawalStep),
    ...(flags.state === undefined ? {} : { state: flags.state }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
  };
}

/** Refuses global flags that would make one expect the sandbox at that address, or under that name. */
function refuseOtherPlace({ profile, baseUrl }: Globals): void {
  if (baseUrl !== undefined)
    throw usageError(
      'pixctl sandbox start takes no --base-url: it listens on 127.0.0.1. Nothing was started.',
      '--port chooses the port, and --host a further address.',
    );
  if (profile !== undefined && profile !== sandboxProfile)
    throw usageError(
      `pixctl sandbox start takes no --profile ${profile}: the profile that it writes is "${sandboxProfile}". Nothing was started.`,
      '--no-profile writes none.',
    );
}

function listenAddress(text: string): string {
  const address = parseAddress(text);
  if (address !== null) return address;
  throw usageError(
    `--host "${text}" is not an IP address. Nothing was started.`,
    'Give an address of this machine, or 0.0.0.0 for all of them. The sandbox always listens on 127.0.0.1 too.',
  );
}

function hostName(text: string): string {
  if (isHostName(text)) return text;
  throw usageError(
    `--allow-host "${text}" is not a host name. Nothing was started.`,
    'Give it without scheme and port, such as sandbox.',
  );
}

/** The message is without the key, which may be a real one. */
function chosenKey(key: string): string {
  if (isSandboxKey(key)) return key;
  throw configError(
    'SANDBOX_KEY',
    'PIXCTL_SANDBOX_API_KEY is not a key for a sandbox. Nothing was started.',
    `Such a key is ${sandboxKeyForm}.`,
  );
}

function step(text: string): number {
  const ms = parseDuration(text, '--withdrawal-step');
  const hint = '--withdrawals manual leaves them where they are.';
  refuseLonger(ms, longestAdvanceMs, text, '--withdrawal-step', hint);
  return ms;
}

function behaviour(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(
    `--assume "${text}" is not of the form id=behaviour. Nothing was started.`,
    'pixctl sandbox assumptions lists them.',
  );
}
