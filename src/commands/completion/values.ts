/** Values to complete: what commander knows as choices, and what only this machine knows. */
import { Argument, type Command, type Option } from 'commander';
import { settings } from '../../config/settings.ts';
import type { IntentKind } from '../../ledger/intent.ts';
import type { Runtime } from '../../runtime.ts';
import { reais } from '../../terminal/columns.ts';

/** A value and a few words on it. */
export type Candidate = readonly [value: string, about: string];

/** Candidates of an option's or an argument's value; none where nothing is known, or reading fails. */
export async function valuesOf(
  runtime: Runtime,
  command: Command,
  thing: Option | Argument,
): Promise<readonly Candidate[]> {
  if (thing.argChoices !== undefined) return thing.argChoices.map((choice) => [choice, '']);
  const name = thing instanceof Argument ? thing.name() : (thing.long ?? '');
  const source =
    sources[`${pathOf(command)} ${name}`] ?? sources[`${nounOf(command)} * ${name}`] ?? sources[`* ${name}`];
  try {
    return (await source?.(runtime)) ?? [];
  } catch {
    return [];
  }
}

type Source = (runtime: Runtime) => Promise<readonly Candidate[]> | readonly Candidate[];

const profiles: Source = async (runtime) =>
  (await runtime.config()).list().map(({ name, baseUrl }) => [name, baseUrl]);
const settingNames: Source = () => Object.entries(settings).map(([name, { help }]) => [name, help]);
const events: Source = async () => {
  const { eventNames } = await import('../../contract/event.ts');
  return eventNames.map((name) => [name, '']);
};

/** Ids of the newest intents of the current scope; the ledger is not made for this. */
const recent =
  (kind: IntentKind, what: 'resourceId' | 'idempotencyKey'): Source =>
  async (runtime) => {
    const config = await runtime.config();
    if (config.get('ledger.id') === undefined) return [];
    const { scopeOf } = await import('../../ledger/intent.ts');
    const intents = await (await runtime.ledger()).list(scopeOf(config.profile()), { kind, limit: 20 });
    return intents.flatMap((intent): Candidate[] => {
      const value = intent[what];
      return value === null ? [] : [[value, `${intent.state} ${reais(intent.amount)}`]];
    });
  };

const chargeIds = recent('charge', 'resourceId');
const topics: Source = () => ['exit-codes', 'environment', 'amounts'].map((topic) => [topic, 'topic']);

/** By command path, by noun, or by name alone. */
const sources: Readonly<Record<string, Source>> = {
  '* --profile': profiles,
  '* --events': events,
  'profile use name': profiles,
  'profile remove name': profiles,
  'config get name': settingNames,
  'config set name': settingNames,
  'config unset name': settingNames,
  'help words': topics,
  'charge * id': chargeIds,
  'sandbox pay charge': chargeIds,
  'sandbox expire charge': chargeIds,
  'sandbox dispute charge': chargeIds,
  'withdrawal * id': recent('withdrawal', 'resourceId'),
  'withdrawal * key': recent('withdrawal', 'idempotencyKey'),
  'webhook trigger event': events,
};

function pathOf(command: Command): string {
  const above = command.parent;
  return above === null || above.parent === null ? command.name() : `${pathOf(above)} ${command.name()}`;
}

const nounOf = (command: Command): string => pathOf(command).split(' ')[0] ?? '';
