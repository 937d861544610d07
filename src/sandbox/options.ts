/** Checks the options of `startSandbox` before anything is opened. */
import { longestTimerMs } from '../clock.ts';
import { isSandboxKey, sandboxKeyForm } from '../contract/sandbox-key.ts';
import { usageError } from '../errors.ts';
import { isHostName, parseAddress } from '../flags/host.ts';
import { portBounds } from '../flags/whole-number.ts';
import {
  anObject,
  callback,
  findProblem,
  nonEmptyString,
  oneOf,
  orNull,
  type Rule,
  text,
  wholeNumber,
} from './input/property-rules.ts';
import type { SandboxOptions } from './sandbox.ts';
import { chooseBehaviours } from './world/choices.ts';
import { longestAdvanceMs } from './world/limits.ts';
import { progressions, undocumentedModes } from './world/settings.ts';

const address: Rule = {
  holds: (value) => typeof value === 'string' && parseAddress(value) !== null,
  words: 'an IP address of this machine, "0.0.0.0" or "::"',
};
const hostNames: Rule = {
  holds: (value) =>
    Array.isArray(value) && value.every((name) => typeof name === 'string' && isHostName(name)),
  words: 'an array of host names without port',
};

const rules: Readonly<Record<keyof SandboxOptions, Rule>> = {
  port: wholeNumber(portBounds.min, portBounds.max),
  state: nonEmptyString,
  merchant: anObject,
  host: address,
  allowHosts: hostNames,
  apiKey: text,
  withdrawals: oneOf(progressions),
  withdrawalStepMs: wholeNumber(0, longestAdvanceMs),
  undocumented: oneOf(undocumentedModes),
  assume: anObject,
  seed: orNull(text),
  deliveryTimeoutMs: wholeNumber(1, longestTimerMs),
  requestTimeoutMs: wholeNumber(1, longestTimerMs),
  onError: callback,
};

/** Longest seed, in characters. A seed is a word that one writes down, and a start goes through all of it. */
const maxSeedLength = 1_000;

/**
 * Throws `usageError` (64) naming the option. Also throws in a Node that is too old: npm only warns about it, and the
 * sandbox would fail later for want of something that it lacks.
 */
export function checkOptions(options: SandboxOptions): void {
  if (!('isRawJSON' in JSON))
    throw usageError('startSandbox needs Node 22.22.2, 24.15 or 26, or newer; this one is older');
  const wrong = findProblem(options, rules, 'the options of startSandbox');
  if (wrong !== null) throw usageError(wrong);
  // Without what was given: it may be a real key.
  if (options.apiKey !== undefined && !isSandboxKey(options.apiKey))
    throw usageError(`apiKey: must be ${sandboxKeyForm}`);
  chooseBehaviours({ undocumented: 'assume', assume: options.assume ?? {}, seed: null });
  const { length } = options.seed ?? '';
  if (length > maxSeedLength)
    throw usageError(`seed: must be at most ${maxSeedLength} characters, not ${length}`);
}
