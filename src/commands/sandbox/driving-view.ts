/** The columns of the sandbox's clock and faults. */
import type { View } from '../../terminal/view.ts';

export interface ClockShown {
  readonly now: string;
  readonly mode: string;
  readonly offsetMs: number;
  readonly ran?: number;
  readonly settled?: boolean;
}

export const clockView: View<ClockShown> = {
  name: 'clock',
  columns: [
    { key: 'now', header: 'Now', value: ({ now }) => now, kind: 'time' },
    { key: 'mode', header: 'Mode', value: ({ mode }) => mode, kind: 'status' },
    { key: 'offsetMs', header: 'Ahead (ms)', value: ({ offsetMs }) => offsetMs },
  ],
};

export interface FaultShown {
  readonly id: string;
  readonly rule: Readonly<Record<string, unknown>> & {
    readonly target: string;
    readonly effect: Readonly<Record<string, unknown>> & { readonly kind: string };
  };
  readonly endsAt: string | null;
  readonly matched: number;
  readonly fired: number;
  readonly spent: boolean;
}

export const faultView: View<FaultShown> = {
  name: 'fault',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'target', header: 'On', value: ({ rule }) => rule.target },
    { key: 'matches', header: 'Matches', value: ({ rule }) => matchesOf(rule) },
    { key: 'effect', header: 'Effect', value: ({ rule }) => detailsOf(rule.effect) },
    { key: 'terms', header: 'Terms', value: ({ rule }) => termsOf(rule) },
    { key: 'fired', header: 'Fired', value: ({ fired }) => fired },
    { key: 'spent', header: 'State', value: ({ spent }) => (spent ? 'spent' : 'in force') },
    { key: 'endsAt', header: 'Ends', value: ({ endsAt }) => endsAt, kind: 'time', detail: true },
    { key: 'matched', header: 'Matched', value: ({ matched }) => matched, detail: true },
  ],
};

const matchesOf = ({ operations, events, endpoint }: FaultShown['rule']): string =>
  [operations, events, endpoint].flat().filter(Boolean).join(', ') || 'all';

const detailsOf = ({ kind, ...details }: FaultShown['rule']['effect']): string =>
  [kind, ...Object.entries(details).map(([name, value]) => `${name}=${value}`)].join(' ');

const termsOf = (rule: FaultShown['rule']): string =>
  ['preset', 'nth', 'probability', 'times', 'forMs']
    .filter((name) => rule[name] !== undefined)
    .map((name) => `${name}=${rule[name]}`)
    .join(' ');

export interface PresetShown {
  readonly name: string;
  readonly about: string;
}

export const presetView: View<PresetShown> = {
  name: 'preset',
  columns: [
    { key: 'name', header: 'Preset', value: ({ name }) => name },
    { key: 'about', header: 'What it does', value: ({ about }) => about },
  ],
};

export const clearedView: View<{ readonly cleared: number }> = {
  name: 'result',
  columns: [{ key: 'cleared', header: 'Cleared', value: ({ cleared }) => cleared }],
};
