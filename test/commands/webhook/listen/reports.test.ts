import { expect, it } from 'vitest';
import type { TimedLine } from '../../../../src/commands/webhook/listen/lines/lines.ts';
import { createReports } from '../../../../src/commands/webhook/listen/reports.ts';
import { createTally } from '../../../../src/commands/webhook/listen/tally.ts';
import { createRejectedReport } from '../../../../src/listener/receiving/receive.ts';
import type { Report } from '../../../../src/listener/report.ts';

const event = (id: string): Report => ({
  type: 'event',
  id,
  event: 'CHARGE_PAID',
  verified: true,
  duplicate: false,
  forward: null,
  state: 'NOT_FORWARDED',
  amount: null,
  status: null,
  key: id,
});

function reporting() {
  const lines: Report[] = [];
  const times: number[] = [];
  const clock = { time: 1_000, now: () => clock.time };
  const warnings: string[] = [];
  const push = ({ line, at }: TimedLine) => {
    lines.push(line as Report);
    times.push(at);
  };
  const tally = createTally(null, () => {});
  const warn = (text: string) => void warnings.push(text);
  const reports = createReports({ events: null }, { push }, tally, { clock, warn });
  return { ...reports, lines, times, clock, warnings };
}

const refused = createRejectedReport('not-ready', 'it came too early', 503);

it('keeps a thousand of what strangers send before it is ready, counts the rest, and keeps every event', () => {
  const { tell, begin, countUnreported, lines, warnings } = reporting();
  for (let sent = 0; sent < 1_003; sent++) tell(refused);
  tell(event('evt_1'));
  expect([countUnreported(), lines]).toEqual([1, []]);
  begin();
  expect(lines).toHaveLength(1_001);
  expect(lines.at(-1)).toMatchObject({ id: 'evt_1' });
  expect(warnings).toEqual([
    '3 more refused requests came before this listener was ready; they are not listed.',
  ]);
  tell(refused);
  expect([lines.length, countUnreported()]).toEqual([1_002, 0]);
});

it('reports each with the time at which it came, even if it waited for the ready line', () => {
  const { tell, begin, times, clock } = reporting();
  tell(event('evt_1'));
  clock.time = 61_000;
  begin();
  tell(event('evt_2'));
  expect(times).toEqual([1_000, 61_000]);
});

it('warns of none where it could keep them all', () => {
  const { tell, begin, lines, warnings } = reporting();
  tell(refused);
  begin();
  expect([lines, warnings]).toEqual([[refused], []]);
});

it('reports each to the page once, whether it came before the page, before the ready line or after it', () => {
  const { tell, begin, showOn } = reporting();
  const noted: Report[] = [];
  const note = (report: Report) => void noted.push(report);
  const [before, between, after] = ['before', 'between', 'after'].map((reason) => ({ ...refused, reason }));
  tell(before as Report);
  showOn({ url: '', note, close: async () => {} });
  tell(between as Report);
  begin();
  tell(after as Report);
  expect(noted).toEqual([before, between, after]);
});
