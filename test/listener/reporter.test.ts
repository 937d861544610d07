/** What is told of an event that another process has taken over. */
import { expect, it } from 'vitest';
import type { Report } from '../../src/listener/report.ts';
import { createReporter } from '../../src/listener/reporter.ts';
import type { ForwardOutcome, OwedEvent } from '../../src/listener/store.ts';
import { paidReport } from '../support/event-report.ts';

const targets = ['http://localhost:3000/', 'http://localhost:4000/'];
const stored = { ...paidReport, key: 'in_1', forward: null, state: 'WAITING', targets } as const;
const owedAt = (key: string, target: string | null) =>
  ({ key, target, eventId: 'evt_1', event: 'CHARGE_PAID', attempts: 0 }) as OwedEvent;
const owed = [owedAt('in_1', targets[0] ?? ''), owedAt('in_1.2', targets[1] ?? '')] as const;
const taken = { number: 1, status: 200, error: null, ms: 1, state: 'DELIVERED', nextAt: null };

const takenOver = { forward: null, state: 'WAITING', takenOver: true };

it.each([[0], [1]])('says it of each application, in the line of the event or in its own: %i', (at) => {
  const reports: Report[] = [];
  const reporter = createReporter((report) => reports.push(report));
  reporter.reportStored(stored, owed);
  const tell = [
    () => reporter.reportTakenOver(owed[0]),
    () => reporter.reportAttempt(owed[1], taken as ForwardOutcome),
  ];
  tell[at]?.();
  tell[1 - at]?.();
  expect(reports.map(({ type }) => type)).toEqual(['event', 'forward']);
  expect(reports[at]).toMatchObject({ ...takenOver, target: targets[0] });
  expect(reports[1 - at]).toMatchObject({ forward: { status: 200 }, target: targets[1] });
});

it('says it of one that has its line already', () => {
  const reports: Report[] = [];
  const reporter = createReporter((report) => reports.push(report));
  reporter.reportTakenOver(owedAt('in_1', null));
  expect(reports).toMatchObject([{ type: 'forward', id: 'evt_1', attempt: 1, ...takenOver, key: 'in_1' }]);
});
