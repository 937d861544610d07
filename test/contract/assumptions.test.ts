/** The list of open points: whole against the document, and each with a way out that can be typed as it is printed. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { type AssumptionId, assumptions } from '../../src/contract/assumptions.ts';
import { walkCommands } from '../../src/program/harden.ts';
import { createProgram } from '../../src/program.ts';
import type { Runtime } from '../../src/runtime.ts';
import { chooseBehaviours } from '../../src/sandbox/world/choices.ts';

const entries = Object.entries(assumptions).map(([id, { override, choices }]) => ({
  id: id as AssumptionId,
  override: override as string,
  choices: choices as readonly string[],
}));
const program = await createProgram({} as Runtime, 'all');

/** Each `pixctl ...`, `webhook ...` or `sandbox ...` of a text, word by word. */
const commandsIn = (override: string): string[][] =>
  override
    .split(/; | \(|\)/)
    .filter((part) => /^(pixctl|webhook|sandbox) /.test(part))
    .map((part) => part.replace(/^pixctl /, '').split(' '));

/** What to type for a placeholder. */
const filledIn = (value: string): string =>
  value.replaceAll('<seconds>', '3').replaceAll('<name>', 'X-Other');

describe('an override', () => {
  it.each(entries.filter(({ choices }) => choices.length > 1))(
    'of $id names a behaviour that a sandbox accepts for it',
    ({ id, override }) => {
      const [, named, value = ''] = /--assume ([\w-]+)=(\S+?)(?=[;:]?(?: |$))/.exec(override) ?? [];
      expect(named).toBe(id);
      const choices = chooseBehaviours({
        undocumented: 'assume',
        assume: { [id]: filledIn(value) },
        seed: null,
      });
      expect(choices[id]).toEqual({ value: filledIn(value), chosen: true });
    },
  );

  it.each(entries.filter(({ override }) => commandsIn(override).length > 0))(
    'of $id is a command with existing flags',
    ({ override }) => {
      for (const words of commandsIn(override)) {
        const flags = words.filter((word) => word.startsWith('--'));
        const verbs = words.slice(0, words.findIndex((word) => /^[-<]/.test(word)) >>> 0);
        for (const verb of verbs.at(-1)?.split('|') ?? []) {
          const path = ['pixctl', ...verbs.slice(0, -1), verb].join(' ');
          const command = [...walkCommands(program)].find((one) => pathOf(one) === path);
          const known = command?.options.map(({ long }) => long);
          expect([path, flags.filter((flag) => known?.includes(flag) === false)]).toEqual([path, []]);
          expect([path, command === undefined]).toEqual([path, false]);
        }
      }
    },
  );
});

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/** Where the document says "not shown", shows two ways, or names a thing without its value. */
const silences: readonly (readonly [where: string, ids: readonly AssumptionId[]])[] = [
  ['The hosted checkout', ['hosted-checkout']],
  ['Failure: `data` of the envelope', ['failure-data']],
  ['Charge and CustomerSummary: fields that are not required', ['charge-optional-field']],
  ['date-time', ['date-time-form']],
  ['Withdrawal: other fields', ['withdrawal-id', 'withdrawal-created-at', 'withdrawal-without-reason']],
  ['Merchant attributes: their values', ['new-merchant', 'initial-balance', 'withdrawal-limit']],
  ['Webhook endpoint: other fields', ['webhook-shape']],
  ['Webhook delivery record: field names', ['delivery-record']],
  ['Refund record', ['refund-shape']],
  ['Charge: transitions of EXPIRED and DISPUTED', ['expired-transition', 'disputed-transition']],
  ['Webhook delivery: other states', ['delivery-states']],
  ['GET /withdrawals: request, response', ['withdrawal-list-shape', 'withdrawal-list-scope']],
  ['POST /withdrawals, GET /withdrawals/{id}: response', ['withdrawal-create-shape', 'withdrawal-get-shape']],
  ['POST /webhooks: name of the URL field, shapes', ['webhook-url-field', 'webhook-shape']],
  ['GET /webhooks/{id}/deliveries: query, response', ['delivery-list-shape', 'delivery-record']],
  ['Customer operations other than get', ['customer-create']],
  ['data of check, refund and list', ['check-shape', 'refund-shape', 'list-shape']],
  ['Filters on the list', ['unknown-query']],
  ['Other webhook endpoint operations', ['webhook-operations']],
  ['The eighth event', ['eighth-event']],
  ['data of each event', ['event-data-shape']],
  ['The signature header, "a neutral name"', ['signature-header']],
  [
    'Codes of a withdrawal in progress or above the limit, and of a refund',
    ['withdrawal-busy-code', 'withdrawal-limit-code', 'refund-refused-code'],
  ],
  ['Rate limit thresholds', ['rate-limit']],
  ['The withdrawal fee', ['withdrawal-fee']],
];

it.each(silences)('what the document leaves open about "%s" has its entries', (_, ids) => {
  expect(ids.filter((id) => assumptions[id] === undefined)).toEqual([]);
});
