/** Where each event goes: to the applications for all, and others for single events by `--route EVENT=URL`. */
import { usageError } from '../../errors.ts';
import { maxTargets } from '../../forward/targets.ts';
import type { EventNameFilter, OwedEvent } from '../store.ts';
import { isListOfAddresses, isThisMachine, parseTarget } from './target.ts';

export interface Targets {
  /** Returns the (first) address of an event. Null: an event of this name is kept and not forwarded. */
  readonly forEvent: (event: string) => string | null;
  /** Returns all its addresses if there are several; else null. */
  readonly severalForEvent: (event: string) => readonly string[] | null;
  /** Returns the events whose address fits, leaving out those that are not forwarded. */
  readonly eventsRoutedTo: (fits: (url: string) => boolean) => EventNameFilter;
  /** Whether any event has several. */
  readonly isSeveral: boolean;
  /** Every address in use. */
  readonly all: readonly string[];
  readonly allowRemote: boolean;
}

interface TargetChoices {
  /** As typed after each `--forward-to`. */
  readonly forwardTo?: readonly string[] | undefined;
  /** As typed after each `--route`. */
  readonly routes: readonly string[];
  /** Event names of `--events`; null for every event. */
  readonly events: readonly string[] | null;
  readonly allowRemote: boolean;
}

/** Reads where events go. Throws `usageError` (64). */
export function parseTargets({ forwardTo = [], routes, events, allowRemote }: TargetChoices): Targets {
  const defaultTargets = parseSeveralTargets(forwardTo, { allowRemote });
  const [defaultTarget = null] = defaultTargets;
  const byEvent = new Map<string, string>();
  for (const route of routes) {
    const [, event = '', place = ''] = /^([^=\s]+)=(.+)$/.exec(route) ?? [];
    if (event === '')
      throw usageError(
        `"${route}" is not a route. Nothing was started.`,
        'Write --route CHARGE_PAID=3000/paid.',
      );
    if (byEvent.has(event))
      throw usageError(`There are two routes for ${event}. Nothing was started.`, 'Give one of them.');
    byEvent.set(event, parseTarget(place, { allowRemote }));
  }
  const wanted = events === null ? null : new Set(events);
  const unusedRoute = [...byEvent.keys()].find((event) => wanted?.has(event) === false);
  if (unusedRoute !== undefined) {
    throw usageError(
      `The route for ${unusedRoute} would never be used: --events names ${events?.join(', ')} only. Nothing was started.`,
      `Add ${unusedRoute} to --events, or leave the route out.`,
    );
  }
  const forEvent = (event: string) =>
    wanted === null || wanted.has(event) ? (byEvent.get(event) ?? defaultTarget) : null;
  return {
    forEvent,
    eventsRoutedTo(fits) {
      const fitting = (event: string) => {
        const url = forEvent(event);
        return url !== null && fits(url);
      };
      if (wanted !== null) return { only: [...wanted].filter(fitting) };
      const routed = [...byEvent.keys()];
      if (defaultTarget === null || !fits(defaultTarget)) return { only: routed.filter(fitting) };
      return { except: routed.filter((event) => !fitting(event)) };
    },
    severalForEvent: (event) =>
      defaultTargets.length > 1 && !byEvent.has(event) && forEvent(event) !== null ? defaultTargets : null,
    isSeveral: defaultTargets.length > 1,
    all: [...new Set([...defaultTargets, ...byEvent.values()])],
    allowRemote,
  };
}

/**
 * Parses what several `--forward-to` take: each event goes to all of them, and once to an address that is named twice.
 * Throws `usageError` (64).
 */
export function parseSeveralTargets(
  texts: readonly string[],
  how: { readonly allowRemote: boolean },
): readonly string[] {
  const list = texts.find(isListOfAddresses);
  if (list !== undefined)
    throw usageError(
      `"${list}" names several addresses. Nothing was sent.`,
      `Give each a flag of its own: ${list
        .split(',')
        .map((text) => `-f ${text.trim()}`)
        .join(' ')}.`,
    );
  const targets = [...new Set(texts.map((text) => parseTarget(text, how)))];
  if (targets.length > maxTargets)
    throw usageError(`An event goes to at most ${maxTargets} applications. Nothing was sent.`);
  return targets;
}

/** Returns where an event goes. An address of its own (a replay) takes precedence if it is allowed in this run. */
export function chooseTarget(
  targets: Targets,
  owed: Pick<OwedEvent, 'event' | 'target'>,
): string | null | { refused: string } {
  if (owed.target === null) return targets.forEvent(owed.event);
  const refused = refusalOf(targets, owed.target);
  return refused === null ? owed.target : { refused };
}

/** Says why an event does not go to its own address in this run; null if it does. */
export function refusalOf({ allowRemote }: Targets, target: string): string | null {
  const { hostname, host } = new URL(target);
  if (allowRemote || isThisMachine(hostname)) return null;
  return `${host} is not this machine; replay it with --allow-remote`;
}
