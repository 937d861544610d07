/** Checks the options of `startSandbox` before anything is opened. */
import { longestTimerMs } from '../clock.ts';
import { usageError } from '../errors.ts';
import { portBounds } from '../flags/whole-number.ts';
import { anObject, callback, filled, oneOf, orNull, type Rule, text, whole, wrongIn } from './input/given.ts';
import type { SandboxOptions } from './sandbox.ts';
import { longestAdvanceMs } from './world/limits.ts';
import { progressions, undocumentedModes } from './world/settings.ts';

const rules: Readonly<Record<keyof SandboxOptions, Rule>> = {
  port: whole(portBounds.min, portBounds.max),
  state: filled,
  merchant: anObject,
  withdrawals: oneOf(progressions),
  withdrawalStepMs: whole(0, longestAdvanceMs),
  undocumented: oneOf(undocumentedModes),
  assume: anObject,
  seed: orNull(text),
  deliveryTimeoutMs: whole(1, longestTimerMs),
  requestTimeoutMs: whole(1, longestTimerMs),
  onError: callback,
};

/** Longest seed, in characters. A seed is a word that one writes down, and a start goes through all of it. */
const longestSeed = 1_000;

/**
 * Throws `usageError` (64) naming the option. Also throws in a Node that is too old: npm only warns about it, and the
 * sandbox would fail later for want of something that it lacks.
 */
export function checkOptions(options: SandboxOptions): void {
  if (!('isRawJSON' in JSON))
    throw usageError('startSandbox needs Node 22.22.2, 24.15 or 26, or newer; this one is older');
  const wrong = wrongIn(options, rules, 'the options of startSandbox');
  if (wrong !== null) throw usageError(wrong);
  const { length } = options.seed ?? '';
  if (length > longestSeed)
    throw usageError(`seed: must be at most ${longestSeed} characters, not ${length}`);
}
