/** Requested misbehaviour: what is in force, how often it hit, and asking for more. */
import { dataError } from '../../errors.ts';
import { Badge } from '../../page/detail.tsx';
import { ActionForm, Choice, Field } from '../../page/form.tsx';
import { List } from '../../page/list.tsx';
import type { Pages } from '../../page/pages.tsx';
import type { Assembly } from '../assembly.ts';
import type { Fault } from '../faults/faults.ts';
import { type PresetName, presets } from '../faults/presets.ts';
import type { FaultInput } from '../faults/rule.ts';
import { Refusal } from '../rules/refusal.ts';
import { readField } from './facts.ts';

export function faultPages({ routes, show, goTo }: Pages, { faults }: Pick<Assembly, 'faults'>): void {
  const screen = { title: 'Faults', section: 'faults', topics: ['faults', 'clock'] };
  routes
    .get('/faults', (context) => show(context, screen, <FaultPage faults={faults.list()} />))
    .post('/faults/preset', async (context) => {
      const times = await readField(context, 'times');
      if (!/^\d{0,6}$/.test(times))
        throw dataError(
          'BAD_TIMES',
          'Times is a whole number of at most six digits, or empty. Nothing was done.',
        );
      const preset = (await readField(context, 'preset')) as PresetName;
      faults.preset(preset, times === '' ? {} : { times: Number(times) });
      return goTo(context, 'faults');
    })
    .post('/faults/rule', async (context) => {
      faults.add(parse(await readField(context, 'rule')));
      return goTo(context, 'faults');
    })
    .post('/faults/clear', async (context) => {
      const id = await readField(context, 'id');
      if (faults.clear(id || undefined) === 0 && id !== '')
        throw new Refusal('NOT_FOUND', `there is no fault ${id} in force`);
      return goTo(context, 'faults');
    });
}

function parse(text: string): FaultInput {
  try {
    return JSON.parse(text) as FaultInput;
  } catch {
    throw dataError('BAD_FAULT', 'The rule is not JSON. Nothing was done.');
  }
}

const example = `{
  "target": "api",
  "operations": ["createWithdrawal"],
  "effect": { "kind": "reset", "when": "after" },
  "times": 1
}`;

const FaultPage = ({ faults }: { faults: readonly Fault[] }) => (
  <>
    <h1>Faults</h1>
    <div class="actions">
      <ActionForm to="faults/preset" label="Add" shortcut="a" tone="main" testid="add-fault">
        <Choice
          name="preset"
          label="Preset"
          options={Object.entries(presets).map(([name, { about }]) => [name, `${name}: ${about}`] as const)}
        />
        <Field name="times" label="Times (empty: as in the preset)" />
      </ActionForm>
      {faults.length === 0 ? null : (
        <ActionForm to="faults/clear" label="Clear all" shortcut="x" tone="danger" />
      )}
    </div>
    <List
      name="Faults"
      items={faults}
      keyOf={({ id }) => id}
      empty={<p>None is in force: the sandbox behaves normally.</p>}
      columns={[
        { header: 'Fault', cell: ({ id, rule }) => rule.preset ?? id },
        { header: 'Does', cell: ({ rule }) => <code>{describeEffect(rule.effect)}</code> },
        { header: 'To', kind: 'wide', cell: ({ rule }) => targetOf(rule) },
        { header: 'Matched', kind: 'end', cell: ({ matched }) => matched },
        { header: 'Hit', kind: 'end', cell: ({ fired }) => <span data-testid="hits">{fired}</span> },
        {
          header: 'State',
          kind: 'wide',
          cell: ({ spent }) => <Badge tone={spent ? 'plain' : 'wait'}>{spent ? 'spent' : 'in force'}</Badge>,
        },
        {
          header: 'End it',
          kind: 'end',
          cell: ({ id }) => <ActionForm to="faults/clear" label="Clear" of={id} fields={{ id }} />,
        },
      ]}
    />
    <h2>A rule of your own</h2>
    <ActionForm to="faults/rule" label="Add the rule">
      <Field name="rule" label="Rule, as JSON" rows={7} value={example} />
    </ActionForm>
  </>
);

const describeEffect = ({ kind, ...terms }: Fault['rule']['effect']): string =>
  [kind, ...Object.entries(terms).map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(' ');

const targetOf = (rule: Fault['rule']): string =>
  rule.target === 'api'
    ? (rule.operations?.join(', ') ?? 'every call')
    : (rule.events?.join(', ') ?? 'every delivery');
