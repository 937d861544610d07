/** What the inbox says in a row of an event for several applications. */
import { expect, it } from 'vitest';
import { entryView, type ShownEntry } from '../../../src/commands/webhook/view.ts';
import { formatOutcome } from '../../../src/listener/inspector/state.tsx';

const part = { key: 'in_1', attempts: 0, failures: 0, nextAt: null, status: null, error: null };
const targets = [
  { ...part, target: 'http://localhost:3000/', state: 'DELIVERED', attempts: 1, status: 200 },
  { ...part, target: 'http://localhost:4000/hooks', state: 'WAITING' },
  {
    ...part,
    target: 'http://localhost:5000/',
    state: 'WAITING',
    attempts: 1,
    error: 'refused the connection',
  },
  { ...part, target: 'http://localhost:6000/', state: 'NOT_FORWARDED' },
] as const;
const stored = targets.map(
  (owed) => ({ ...owed, state: owed.state === 'NOT_FORWARDED' ? 'NONE' : owed.state }) as const,
);
const entry: ShownEntry = {
  ...{ id: 'evt_1', key: 'in_1', source: 'abc', eventId: 'evt_1', event: 'CHARGE_PAID' },
  ...{ receivedAt: '2026-01-02T03:04:05.000Z', origin: 'delivery', edits: null, duplicates: 0 },
  ...{ state: 'WAITING', target: null, attempts: 2, failures: 0, nextAt: null, status: null, error: null },
  targets,
};
const inWords = (key: string, of: ShownEntry) =>
  entryView.columns.find((column) => column.key === key)?.text?.(of);

it('says of each what it answered, or that it waits', () => {
  expect(inWords('status', entry)).toBe(
    '3000: 200, 4000/hooks: waiting, 5000: refused the connection, 6000: no answer recorded',
  );
  expect(formatOutcome({ status: null, error: null, targets: stored })).toBe(
    '3000: HTTP 200, 4000/hooks: waiting, 5000: refused the connection, 6000: no answer recorded',
  );
});

it('counts those that accepted it, unless one alone is left', () => {
  expect(inWords('state', entry)).toBe('waiting to try again (1 of 4)');
  expect(inWords('state', { ...entry, state: 'DELIVERED', targets: targets.slice(0, 1) })).toBe('delivered');
  const none = { ...entry, state: 'NOT_FORWARDED' } as const;
  expect(inWords('state', { ...none, targets: [targets[0], targets[3]] })).toBe('not forwarded (1 of 2)');
  expect(inWords('state', { ...none, targets: [targets[3], targets[3]] })).toBe('not forwarded');
});
