/** Chooses the behaviour that the sandbox shows at each open point of the document (docs/sandbox.md). */
import { type Assumption, type AssumptionId, assumptions } from '../../contract/assumptions.ts';
import { usageError } from '../../errors.ts';
import { createIds } from './ids.ts';
import type { Settings } from './settings.ts';

export interface Choice {
  readonly value: string;
  /** Whether the user chose it by name. Then it is no error with `--undocumented=error`. */
  readonly chosen: boolean;
}
export type Choices = Readonly<Record<AssumptionId, Choice>>;

/** Open points that take more than their choices, of which one is drawn at random. */
const open: Partial<Record<AssumptionId, { readonly name: RegExp; readonly words: string }>> = {
  'signature-header': {
    name: /^(?!(content-type|content-length|host|user-agent|connection|transfer-encoding|trailer|upgrade|expect)$)[\w!#$%&'*+.^`|~-]+$/i,
    words: 'It takes the name of an HTTP header that a delivery does not need for something else.',
  },
  'backoff-schedule': {
    name: /^\d{1,6}s,\d{1,6}s$/,
    words: 'It takes the seconds before the second attempt and before the third, as 2s,4s.',
  },
  'refund-completion': {
    name: /^\d{1,6}s$/,
    words: 'It takes at-once, or the seconds until the refund is completed, as 5s.',
  },
  'list-lag': { name: /^\d{1,6}s$/, words: 'It takes none, or the seconds that lists are behind, as 2s.' },
  'webhook-plain-http': {
    name: /^private$/,
    words: 'It takes loopback or refuse, or private for private names and addresses too.',
  },
  'webhook-url-field': { name: /^(?!events$).+$/, words: 'It takes the name of a field, but not "events".' },
};

/** Chooses behaviours. Throws a usage error (64) for an unknown id or behaviour. */
export function chooseBehaviours(settings: Pick<Settings, 'undocumented' | 'assume' | 'seed'>): Choices {
  for (const id of Object.keys(settings.assume)) {
    if (!Object.hasOwn(assumptions, id)) {
      throw usageError(`There is no assumption "${id}".`, 'pixctl sandbox assumptions lists them.');
    }
  }
  const choose = (id: AssumptionId): Choice => {
    const choices: readonly string[] = assumptions[id].choices;
    const wanted = settings.assume[id];
    if (wanted !== undefined) {
      const any = open[id];
      if (!choices.includes(wanted) && !any?.name.test(wanted)) {
        throw usageError(
          `"${wanted}" is not a behaviour of ${id}.`,
          any?.words ?? describeChoices(choices, assumptions[id].override),
        );
      }
      return { value: wanted, chosen: true };
    }
    const drawn =
      settings.undocumented === 'random' ? Math.floor(drawFraction(settings.seed, id) * choices.length) : 0;
    return { value: choices[drawn] ?? '', chosen: false };
  };
  const all = (Object.keys(assumptions) as AssumptionId[]).map((id) => [id, choose(id)]);
  return Object.fromEntries(all) as Choices;
}

/** Lists what an open point knows. If that is a single choice, it adds how else to change it, if at all. */
const describeChoices = (choices: readonly string[], override: string): string =>
  `Its choices: ${choices.join(', ')}.${choices.length === 1 ? ` Another way: ${override}.` : ''}`;

/**
 * Returns a number from 0 to 1 that depends on the seed and the id alone, so that neither a restart nor another choice
 * changes it.
 */
const drawFraction = (seed: string | null, id: AssumptionId): number =>
  createIds(seed === null ? null : `${seed}/${id}`).fraction();

/** An open point with the behaviour that this sandbox shows there. */
export interface AssumptionInForce extends Assumption {
  readonly id: AssumptionId;
  readonly inForce: string;
  /** Whether the user chose it by name. */
  readonly chosen: boolean;
}

export const listAssumptions = (choices: Choices): AssumptionInForce[] =>
  (Object.keys(assumptions) as AssumptionId[]).map((id) => ({
    id,
    ...assumptions[id],
    inForce: choices[id].value,
    chosen: choices[id].chosen,
  }));
