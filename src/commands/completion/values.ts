/** Completes values: what commander knows as choices, and what only this machine knows. */
import { existsSync } from 'node:fs';
import { Argument, type Command, type Option } from 'commander';
import { settings } from '../../config/settings.ts';
import { fieldsOf, loadFields } from '../../flags/help.ts';
import { helpTopics } from '../../flags/help-topics.ts';
import type { IntentKind } from '../../ledger/intent.ts';
import { inboxPathOf } from '../../runtime/open-inbox.ts';
import type { Runtime } from '../../runtime.ts';
import { formatAmount } from '../../terminal/columns.ts';
import { makeVisible } from '../../terminal/escape.ts';

/** A value, and a few words about it. */
export type Candidate = readonly [value: string, about: string];

/** What is typed: the command that it names, and its words, of which the last is unfinished. */
export interface TypedLine {
  readonly command: Command;
  readonly words: readonly string[];
}

/** Returns candidates for the value of an option or an argument; none if nothing is known, or reading fails. */
export async function valuesOf(
  runtime: Runtime,
  typed: TypedLine,
  thing: Option | Argument,
): Promise<readonly Candidate[]> {
  const { command } = typed;
  if (thing.argChoices !== undefined) return thing.argChoices.map((choice) => [choice, '']);
  const name = thing instanceof Argument ? thing.name() : (thing.long ?? '');
  const source =
    sources[`${pathOf(command)} ${name}`] ?? sources[`${nounOf(command)} * ${name}`] ?? sources[`* ${name}`];
  try {
    const known = (await source?.(runtime, typed)) ?? [];
    return lists.has(name) ? completeList(known, typed.words.at(-1) ?? '') : known;
  } catch {
    return [];
  }
}

/** Flags that take several values, separated by commas. */
const lists: ReadonlySet<string> = new Set(['--events', '--fields', '--on', '--state', '--status']);

/** Returns what may come next in a list that is begun, each together with the part already typed. */
function completeList(known: readonly Candidate[], word: string): readonly Candidate[] {
  const [, begun = ''] = /^(?:--[a-z-]+=)?(.*,)/.exec(word) ?? [];
  const given = begun.split(',');
  return known.flatMap(([value, about]) => (given.includes(value) ? [] : [[`${begun}${value}`, about]]));
}

/** Whether its value is a file. Its name says so, except for a BR Code, which may also be a picture. */
export const takesFile = (thing: Option | Argument): boolean =>
  thing instanceof Argument ? /^(file|code)\b/.test(thing.name()) : /<file\b/.test(thing.flags);

type Source = (runtime: Runtime, typed: TypedLine) => Promise<readonly Candidate[]> | readonly Candidate[];

/** Matches what can stand on a command line as it is: no flag, no quote, nothing that a shell would obey. */
const plain = /^[\w.:@+/][\w.:@+/-]*$/;
/** Of values that came from a file, those that can; what is said about one comes from the same file. */
const offered = (found: readonly Candidate[]): Candidate[] =>
  found.filter(([value]) => plain.test(value)).map(([value, about]) => [value, makeVisible(about)]);

const profiles: Source = async (runtime) =>
  offered((await runtime.config()).list().map(({ name, baseUrl }) => [name, baseUrl]));
const settingNames: Source = () => Object.entries(settings).map(([name, { help }]) => [name, help]);
const events: Source = async () => {
  const { eventNames } = await import('../../contract/event-names.ts');
  return words(eventNames);
};

/** Each event with the `=` that precedes the address. */
const routes: Source = async (...asked) =>
  (await events(...asked)).map(([event, about]) => [`${event}=`, about]);
const tunnels: Source = () => [...words(['cloudflared', 'ngrok']), ['ssh:', 'user@host[:port]']];
/** What a fault may be on: calls of the API, or events. */
const faultTargets: Source = async (...asked) => {
  const { operations } = await import('../../contract/operations.ts');
  const calls = Object.entries(operations).map(
    ([name, { method, path }]): Candidate => [name, `${method} ${path}`],
  );
  return [...calls, ...(await events(...asked))];
};

/** The documented paths of the method that is typed; of `/customers/{id}` what comes before the id. */
const apiPaths: Source = async (_runtime, { words: [, method = ''] }) => {
  const { operations } = await import('../../contract/operations.ts');
  const found = Object.values(operations).filter((operation) => operation.method === method.toUpperCase());
  return found.map(({ path, summary }): Candidate => [path.replace(/\{.*/s, ''), summary]);
};

/** The newest intents of the current scope. No ledger is created for this. */
const recent =
  (kind: IntentKind, what: 'resourceId' | 'idempotencyKey'): Source =>
  async (runtime) => {
    const config = await runtime.config();
    if (config.get('ledger.id') === undefined) return [];
    const { scopeOf } = await import('../../ledger/intent.ts');
    const intents = await (await runtime.ledger()).list(scopeOf(config.profile()), { kind, limit: 20 });
    return offered(
      intents.map((intent) => [intent[what] ?? '', `${intent.state} ${formatAmount(intent.amount)}`]),
    );
  };

const keyStates =
  (kind: IntentKind): Source =>
  async () =>
    words((await import('../../ledger/intent.ts')).statesOf[kind]);

const chargeStates: Source = async () => words((await import('../../contract/statuses.ts')).chargeStatuses);
const withdrawalStates: Source = async () =>
  words((await import('../../contract/statuses.ts')).withdrawalStatuses);
/** From the schemas, so imported only when it is asked for. */
const pixKeyTypes: Source = async () => words((await import('../../contract/withdrawal.ts')).pixKeyTypes);
const words = (values: readonly string[]): Candidate[] => values.map((value) => [value, '']);

const destinations: Source = async (runtime) =>
  offered(words(Object.keys(((await runtime.config()).get('destinations') as object | undefined) ?? {})));

/** The newest received events. No inbox is created for this. */
const eventIds: Source = async (runtime) => {
  if (!existsSync(inboxPathOf(await runtime.config()))) return [];
  const found: Candidate[] = [];
  for await (const { eventId, event } of (await runtime.inbox()).list({ last: 20 }))
    found.push([eventId, event]);
  return offered(found);
};

const chargeIds = recent('charge', 'resourceId');
/** Topics, and commands by as many of their words as are typed. */
const helpTargets: Source = (_runtime, { command, words: [, ...path] }) => {
  let named: Command | undefined = command.parent ?? command;
  for (const word of path.slice(0, -1)) named = named?.commands.find((each) => each.name() === word);
  const below = named?.createHelp().visibleCommands(named) ?? [];
  return [
    ...(path.length > 1 ? [] : helpTopics.map((topic): Candidate => [topic, 'topic'])),
    ...below.map((each): Candidate => [each.name(), each.summary() || each.description()]),
  ];
};

const fields: Source = async (_runtime, { command }) => {
  await loadFields(command);
  return words(fieldsOf(command));
};

const faultPresets: Source = async () =>
  Object.entries((await import('../../sandbox/faults/presets.ts')).presets).map(([name, { about }]) => [
    name,
    about,
  ]);
const faultEffects: Source = async () => {
  const { apiEffects, deliveryEffects } = await import('../../sandbox/faults/effects.ts');
  return Object.entries({ ...apiEffects, ...deliveryEffects });
};

/** The open points that have more than one behaviour. */
const behaviours: Source = async () => {
  const { assumptions } = await import('../../contract/assumptions.ts');
  return Object.entries(assumptions).flatMap(([id, { choices, subject }]) =>
    choices.length < 2 ? [] : choices.map((choice): Candidate => [`${id}=${choice}`, subject]),
  );
};

/** Where values come from: by command path, by noun, or by name alone. */
const sources: Readonly<Record<string, Source>> = {
  '* --profile': profiles,
  '* --events': events,
  'profile use name': profiles,
  'profile remove name': profiles,
  'config get name': settingNames,
  'config set name': settingNames,
  'config unset name': settingNames,
  'config set value': (_runtime, { words: typed }) =>
    typed.includes('keychain') ? words(['on', 'off']) : [],
  'policy set --saved-only': () => words(['true', 'false']),
  'help words': helpTargets,
  '* --fields': fields,
  'sandbox start --assume': behaviours,
  'sandbox fault add --preset': faultPresets,
  'sandbox fault add --effect': faultEffects,
  'sandbox fault add --on': faultTargets,
  'webhook listen --route': routes,
  'webhook listen --tunnel': tunnels,
  'charge * id': chargeIds,
  'charge * idempotency key': recent('charge', 'idempotencyKey'),
  'sandbox pay charge': chargeIds,
  'sandbox expire charge': chargeIds,
  'sandbox dispute charge': chargeIds,
  'withdrawal * id': recent('withdrawal', 'resourceId'),
  'withdrawal * idempotency key': recent('withdrawal', 'idempotencyKey'),
  'withdrawal resolve --withdrawal': recent('withdrawal', 'resourceId'),
  'charge list --status': chargeStates,
  'withdrawal list --status': withdrawalStates,
  'charge ledger --state': keyStates('charge'),
  'withdrawal ledger --state': keyStates('withdrawal'),
  'withdraw --to': destinations,
  'withdraw --type': pixKeyTypes,
  'destination add --type': pixKeyTypes,
  'destination remove name': destinations,
  'webhook * event id': eventIds,
  'webhook * event ids': eventIds,
  'webhook trigger EVENT': events,
  '* --event': events,
  'api path': apiPaths,
  'api method': () => words(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
};

function pathOf(command: Command): string {
  const above = command.parent;
  return above === null || above.parent === null ? command.name() : `${pathOf(above)} ${command.name()}`;
}

const nounOf = (command: Command): string => pathOf(command).split(' ')[0] ?? '';
