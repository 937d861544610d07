/** Turns the flags of `sandbox fault add` into what the control plane takes. Pure. */
import { eventNameForm } from '../../../contract/event-names.ts';
import { type OperationName, operations } from '../../../contract/operations.ts';
import { usageError } from '../../../errors.ts';
import { parsePositiveDuration, refuseLonger } from '../../../flags/duration.ts';
import { didYouMean, nearest } from '../../../flags/nearest.ts';
import { parseWholeNumber } from '../../../flags/whole-number.ts';
import { apiEffects, deliveryEffects } from '../../../sandbox/faults/effects.ts';
import { type PresetName, presets } from '../../../sandbox/faults/presets.ts';
import { longestAdvanceMs } from '../../../sandbox/world/limits.ts';
import { parameters } from './parameters.ts';

export interface FaultFlags {
  readonly preset?: string;
  readonly effect?: string;
  /** Operations, `METHOD /path`, events or endpoint ids, comma-separated. */
  readonly on?: string;
  readonly nth?: string;
  readonly probability?: string;
  readonly seed?: string;
  readonly times?: string;
  readonly for?: string;
  readonly when?: string;
  readonly status?: string;
  readonly code?: string;
  readonly message?: string;
  readonly body?: string;
  readonly location?: string;
  readonly retryAfter?: string;
  readonly wait?: string;
  readonly copies?: string;
  readonly skew?: string;
  readonly cursor?: string;
  readonly name?: string;
  readonly value?: string;
}

/** Returns the body of `POST /__sandbox/faults`. Throws a usage error (64) for flags that do not go together. */
export function faultBody(flags: FaultFlags): Record<string, unknown> {
  const terms = defined({
    nth: parseCount('--nth', flags.nth, atLeastOnce),
    probability: fraction(flags.probability),
    seed: parseCount('--seed', flags.seed),
    times: parseCount('--times', flags.times, atLeastOnce),
    forMs: parseLasting(flags.for),
  });
  const given = Object.entries(parameters).flatMap(([flag, { effects, read }]) => {
    const text = flags[flag as keyof FaultFlags];
    return text === undefined ? [] : [{ flag, effects, read, text }];
  });
  if (flags.preset !== undefined) {
    if (flags.effect !== undefined || given.length > 0) {
      throw usageError(
        `--preset has its own effect; ${flagName(flags.effect === undefined ? (given[0]?.flag ?? '') : 'effect')} does not go with it. Nothing was sent.`,
        'Allowed with --preset: --on, --nth, --probability, --seed, --times, --for.',
      );
    }
    return { preset: flags.preset, ...terms, ...parseOnFlag(flags.on, targetOfPreset(flags.preset)) };
  }
  const { effect } = flags;
  if (effect === undefined) {
    throw usageError(
      'Give what should go wrong: --preset <name> or --effect <name>. Nothing was sent.',
      effectsHint,
    );
  }
  const target = targetOf(effect);
  const wrong = given.find(({ effects }) => !effects.includes(effect));
  if (wrong !== undefined)
    throw usageError(`${flagName(wrong.flag)} does not go with --effect ${effect}. Nothing was sent.`);
  return {
    target,
    effect: Object.assign({ kind: effect }, ...given.map(({ read, text }) => read(text, effect))),
    ...terms,
    ...parseOnFlag(flags.on, target),
  };
}

type Target = 'api' | 'delivery';

const effects = [...Object.keys(apiEffects), ...Object.keys(deliveryEffects)];
const effectsHint = `Effects: ${effects.join(', ')}.`;

function targetOf(effect: string): Target {
  if (Object.hasOwn(apiEffects, effect)) return 'api';
  if (Object.hasOwn(deliveryEffects, effect)) return 'delivery';
  throw usageError(
    `There is no effect "${effect}"${didYouMean(nearest(effect, effects))} Nothing was sent.`,
    effectsHint,
  );
}

function targetOfPreset(name: string): Target {
  if (Object.hasOwn(presets, name)) return presets[name as PresetName].rules[0].target;
  throw usageError(
    `There is no preset "${name}"${didYouMean(nearest(name, Object.keys(presets)))} Nothing was sent.`,
    `Presets: ${Object.keys(presets).join(', ')}.`,
  );
}

/** Returns what `--on` names. */
function parseOnFlag(on: string | undefined, target: Target): Record<string, unknown> {
  if (on === undefined) return {};
  const names = on.split(',').map((name) => name.trim());
  const found = names.map(operationOf);
  if (found.every((name) => name !== null)) {
    if (target === 'delivery')
      throw usageError(`--on ${on} names calls of the API; this effect is on deliveries. Nothing was sent.`);
    return { operations: found };
  }
  const [endpoint] = names;
  const areOfDeliveries = names.every((name) => eventNameForm.test(name) || name.startsWith('wh_'));
  if (target === 'api' && areOfDeliveries) {
    const what = names.every((name) => name.startsWith('wh_')) ? 'an endpoint' : 'events';
    throw usageError(
      `--on ${on} names ${what}; this effect is on calls of the API. Nothing was sent.`,
      `It takes operations (${Object.keys(operations).join(', ')}) or "METHOD /path". Effects on deliveries: ${Object.keys(deliveryEffects).join(', ')}.`,
    );
  }
  if (!areOfDeliveries) {
    throw usageError(
      `--on ${on} is not understood. Nothing was sent.`,
      `It takes operations (${Object.keys(operations).join(', ')}), "METHOD /path", events, or an endpoint's id.`,
    );
  }
  if (!names.some((name) => name.startsWith('wh_'))) return { events: names };
  if (names.length === 1) return { endpoint };
  throw usageError(
    `--on takes one endpoint's id, and nothing else, not ${on}. Nothing was sent.`,
    'Add a fault for each endpoint.',
  );
}

function operationOf(name: string): OperationName | null {
  const [method, path] = name.split(/\s+/);
  const found = Object.entries(operations).find(
    ([key, operation]) => key === name || (operation.method === method && operation.path === path),
  );
  return (found?.[0] as OperationName | undefined) ?? null;
}

const most = 999_999_999;
const atLeastOnce = { min: 1, max: most };

const parseCount = (
  flag: string,
  text: string | undefined,
  bounds = { min: 0, max: most },
): number | undefined => (text === undefined ? undefined : parseWholeNumber(flag, text, bounds));

function fraction(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 1)) {
    throw usageError(`--probability takes a number from 0 to 1, not "${text}". Nothing was sent.`);
  }
  return number;
}

/** Returns how long a rule lasts, in milliseconds. */
function parseLasting(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parsePositiveDuration(text, '--for');
  refuseLonger(
    ms,
    longestAdvanceMs,
    text,
    '--for',
    'Without --for, a fault lasts until pixctl sandbox fault clear.',
  );
  return ms;
}

const flagName = (key: string): string =>
  `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const defined = (terms: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));
