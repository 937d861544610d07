/** Checks the flags of `sandbox start` before the sandbox is loaded. */
import { sandboxProfile } from '../../../config/profile.ts';
import { usageError } from '../../../errors.ts';
import { parseDuration } from '../../../flags/duration.ts';
import type { Globals } from '../../../flags/globals.ts';
import { parseWholeNumber, portBounds } from '../../../flags/whole-number.ts';
import type { SandboxOptions } from '../../../sandbox/index.ts';
import { longestAdvanceMs } from '../../../sandbox/world/limits.ts';
import type { Progression, UndocumentedMode } from '../../../sandbox/world/settings.ts';

export interface StartFlags {
  readonly port: string;
  readonly state?: string;
  readonly undocumented: UndocumentedMode;
  readonly assume: readonly string[];
  readonly withdrawals: Progression;
  readonly withdrawalStep: string;
  readonly seed?: string;
  /** False with `--no-profile`. */
  readonly profile: boolean;
}

/** Returns the options. Throws `usageError` (64). */
export function sandboxOptions(flags: StartFlags, globals: Globals): SandboxOptions {
  refuseOtherPlace(globals);
  return {
    port: parseWholeNumber('--port', flags.port, portBounds),
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
      '--port chooses the port.',
    );
  if (profile !== undefined && profile !== sandboxProfile)
    throw usageError(
      `pixctl sandbox start takes no --profile ${profile}: the profile that it writes is "${sandboxProfile}". Nothing was started.`,
      '--no-profile writes none.',
    );
}

function step(text: string): number {
  const ms = parseDuration(text, '--withdrawal-step');
  if (ms <= longestAdvanceMs) return ms;
  throw usageError(
    `--withdrawal-step is at most ${longestAdvanceMs / 86_400_000}d, not ${text}. Nothing was sent.`,
    '--withdrawals manual leaves them where they are.',
  );
}

function behaviour(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(
    `--assume "${text}" is not of the form id=behaviour. Nothing was started.`,
    'pixctl sandbox assumptions lists them.',
  );
}
