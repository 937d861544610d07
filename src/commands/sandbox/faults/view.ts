/** The columns of faults. */
import type { NamedPreset } from '../../../sandbox/control/faults.ts';
import type { Fault } from '../../../sandbox/faults/faults.ts';
import type { FaultRule } from '../../../sandbox/faults/rule.ts';
import type { View } from '../../../terminal/view.ts';

export const faultView: View<Fault> = {
  name: 'fault',
  columns: [
    { key: 'id', header: 'ID' },
    { key: 'target', header: 'On', value: ({ rule }) => rule.target },
    { key: 'matches', header: 'Matches', value: ({ rule }) => matchesOf(rule) },
    { key: 'effect', header: 'Effect', value: ({ rule }) => detailsOf(rule.effect) },
    { key: 'terms', header: 'Terms', value: ({ rule }) => termsOf(rule) },
    { key: 'fired', header: 'Fired' },
    { key: 'spent', header: 'State', value: ({ spent }) => (spent ? 'spent' : 'in force') },
    { key: 'endsAt', header: 'Ends', kind: 'time', detail: true },
    { key: 'matched', header: 'Matched', detail: true },
  ],
};

const matchesOf = (rule: FaultRule): string =>
  (rule.target === 'api' ? [rule.operations] : [rule.events, rule.endpoint])
    .flat()
    .filter(Boolean)
    .join(', ') || 'all';

const detailsOf = ({ kind, ...details }: FaultRule['effect']): string =>
  [kind, ...Object.entries(details).map(([name, value]) => `${name}=${inText(value)}`)].join(' ');

const inText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const termsOf = (rule: FaultRule): string =>
  (['preset', 'nth', 'probability', 'times', 'forMs'] as const)
    .filter((name) => rule[name] !== undefined)
    .map((name) => `${name}=${rule[name]}`)
    .join(' ');

export const presetView: View<NamedPreset> = {
  name: 'preset',
  columns: [
    { key: 'name', header: 'Preset' },
    { key: 'about', header: 'What it does', kind: 'text' },
  ],
};

export const clearedView: View<{ readonly cleared: number }> = {
  name: 'result',
  columns: [{ key: 'cleared', header: 'Cleared' }],
};
