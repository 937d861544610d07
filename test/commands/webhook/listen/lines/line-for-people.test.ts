/** The lines of `webhook listen` for people. */
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { lineForPeople } from '../../../../../src/commands/webhook/listen/lines/line-for-people.ts';
import type { EventReport, Report } from '../../../../../src/listener/report.ts';
import { paidReport as event } from '../../../../support/event-report.ts';

const later = {
  type: 'forward',
  id: 'evt_1',
  event: 'CHARGE_PAID',
  attempt: 2,
  nextAt: null,
  key: 'in_1',
} as const;
const rejected = {
  id: null,
  event: null,
  verified: false,
  duplicate: false,
  forward: null,
  answered: 400,
} as const;

describe('a line for people', () => {
  it.each<[string, Report, string]>([
    ['a taken event', event, '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\t-> 200 in 12 ms'],
    [
      'one of several applications',
      { ...event, target: 'http://localhost:3000/' },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\t-> 3000: 200 in 12 ms',
    ],
    [
      'one without amount or status',
      { ...event, amount: null, status: null },
      '12:00:00\tCHARGE_PAID\tevt_1\t\t\t-> 200 in 12 ms',
    ],
    [
      'one that failed',
      { ...event, forward: { status: 500, ms: 3 }, state: 'WAITING' },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\t-> 500 in 3 ms; kept, and will be sent again',
    ],
    [
      'one for nobody',
      { ...event, forward: { error: 'refused the connection', ms: 1 }, state: 'WAITING' },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\t-> your application refused the connection; kept, and will be sent again',
    ],
    [
      'one that another process took over',
      { ...event, forward: null, state: 'WAITING', takenOver: true },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\t-> taken over; webhook inbox shows its state',
    ],
    [
      'one that another process took over at one of several applications',
      { ...later, target: 'http://localhost:3000/', forward: null, state: 'WAITING', takenOver: true },
      '12:00:00\tCHARGE_PAID\tevt_1\t\tattempt 2\t-> 3000: taken over; webhook inbox shows its state',
    ],
    [
      'a duplicate',
      { ...event, duplicate: true, forward: null },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\tagain; not forwarded twice',
    ],
    [
      'a duplicate that was given up or still waits',
      { ...event, duplicate: true, forward: null, state: 'WAITING' },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\tagain; it is in the queue for your application',
    ],
    [
      'a duplicate that was not taken, whose application is asked',
      { ...event, duplicate: true, forward: null, state: 'GIVEN_UP', asked: true },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\tagain; forwarded to your application once more',
    ],
    [
      'a duplicate that is forwarded nowhere',
      { ...event, duplicate: true, forward: null, state: 'NOT_FORWARDED' },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\tagain; kept',
    ],
    [
      'one kept',
      { ...event, forward: null, state: 'NOT_FORWARDED' },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\tkept',
    ],
    [
      'a synthetic one',
      { ...event, synthetic: 'poll' },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\t-> 200 in 12 ms  (made here by --poll)',
    ],
    [
      'a later attempt',
      { ...later, forward: { status: 404, ms: 2 }, state: 'GIVEN_UP' },
      '12:00:00\tCHARGE_PAID\tevt_1\t\tattempt 2\t-> 404 in 2 ms; given up, replay it later',
    ],
    [
      'a first attempt whose 5xx was relayed',
      { ...event, forward: { status: 500, ms: 2 }, state: 'GIVEN_UP', relayed: true },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\t-> 500 in 2 ms; this was passed on to the service, which delivers it again (3 attempts in all)',
    ],
    [
      'a later one without an answer, which was relayed as 502',
      { ...later, forward: { error: 'is not answering', ms: 2 }, state: 'GIVEN_UP', relayed: true },
      '12:00:00\tCHARGE_PAID\tevt_1\t\tattempt 2\t-> your application is not answering; this was passed on to the service, which delivers it again (3 attempts in all)',
    ],
    [
      'a redirect that was relayed, of which the document says nothing',
      { ...event, forward: { status: 302, ms: 2 }, state: 'GIVEN_UP', relayed: true },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\t-> 302 in 2 ms; this was passed on to the service, whose document does not say whether it delivers again after a redirect',
    ],
    [
      'a 4xx that was relayed, which is final',
      { ...later, forward: { status: 404, ms: 2 }, state: 'GIVEN_UP', relayed: true },
      '12:00:00\tCHARGE_PAID\tevt_1\t\tattempt 2\t-> 404 in 2 ms; given up, replay it later',
    ],
    [
      'a refused one',
      { ...rejected, type: 'rejected', reason: 'header-missing', message: 'there is no signature header' },
      '12:00:00\trefused with 400: there is no signature header',
    ],
    [
      'hostile text',
      { ...event, id: 'evt\u001b[2J', event: 'A\tB\nC', status: '\u202e' },
      '12:00:00\tA\\tB\\nC\tevt\\x1b[2J\tR$ 123,45\t\\u{202e}\t-> 200 in 12 ms',
    ],
  ])('tells %s', (_what, report, line) => {
    expect(lineForPeople(report, { colour: false, columns: null, time: '12:00:00' })).toBe(line);
  });

  it('is coloured by what became of it, on a terminal', () => {
    const painted = lineForPeople(event, { colour: true, columns: 200, time: '12:00:00' });
    expect(painted).toContain('\u001b[32m-> 200 in 12 ms\u001b[39m');
  });
});

describe('a line at a terminal', () => {
  const id = 'evt_0123456789abcdefghijklmn';
  const lines = (report: Report, columns: number) =>
    lineForPeople(report, { colour: false, columns, time: '12:00:00' }).split('\n');
  const paid: EventReport = { ...event, id };

  it.each<[number, string[]]>([
    [
      120,
      [
        '12:00:00  CHARGE_PAID           evt_0123456789abcdefghijklmn  R$ 123,45     PAID       -> 200 in 12 ms',
      ],
    ],
    [100, ['12:00:00  CHARGE_PAID           evt_0123456789abcdefghijklmn  R$ 123,45     -> 200 in 12 ms']],
    [80, ['12:00:00  CHARGE_PAID           evt_0123456789abcdefghijklmn  -> 200 in 12 ms']],
    [70, ['12:00:00  CHARGE_PAID  evt_0123456789abcdefghijklmn  -> 200 in 12 ms']],
    [60, ['12:00:00  CHARGE_PAID           -> 200 in 12 ms', '          evt_0123456789abcdefghijklmn']],
    [40, ['12:00:00  CHARGE_PAID', '          evt_0123456789abcdefghijklmn', '          -> 200 in 12 ms']],
  ])('of %i columns has what fits there', (columns, told) => {
    expect(lines(paid, columns)).toEqual(told);
  });

  it('shows below it what follows from a failure', () => {
    const failed: EventReport = { ...paid, forward: { status: 500, ms: 3 }, state: 'WAITING' };
    expect(lines(failed, 80)).toEqual([
      '12:00:00  CHARGE_PAID           evt_0123456789abcdefghijklmn  -> 500 in 3 ms',
      '          kept, and will be sent again',
    ]);
    const odd = { ...failed, event: 'WITHDRAWAL_COMPLETED', odd: 'the body has no usable id' };
    expect(lines(odd, 60)).toEqual([
      '12:00:00  WITHDRAWAL_COMPLETED  -> 500 in 3 ms',
      '          evt_0123456789abcdefghijklmn',
      '          kept, and will be sent again',
      '          (the body has no usable id)',
    ]);
  });

  it('says which attempt it is, also where the column of that has no room', () => {
    const failed: Report = { ...later, id, forward: { status: 500, ms: 3 }, state: 'DELIVERED' };
    expect(lines({ ...failed, id: 'evt_1' }, 84)).toEqual([
      '12:00:00  CHARGE_PAID           evt_1                 -> 500 in 3 ms  (attempt 2)',
    ]);
    expect(lines({ ...failed, target: 'http://localhost:4000/hook' }, 80)).toEqual([
      '12:00:00  CHARGE_PAID  evt_0123456789abcdefghijklmn  -> 4000/hook: 500 in 3 ms',
      '          (attempt 2)',
    ]);
  });

  it('breaks the words of a refusal', () => {
    const message = 'there is no signature header; some proxy on the way may drop it';
    expect(lines({ ...rejected, type: 'rejected', reason: 'header-missing', message }, 60)).toEqual([
      '12:00:00  refused with 400: there is no signature header;',
      '          some proxy on the way may drop it',
    ]);
  });

  const reports: readonly Report[] = [
    paid,
    { ...paid, id: 'evt_1', event: '決済', amount: 100_000_000, status: 'PROCESSING' },
    { ...paid, event: 'X'.repeat(100), id: 'i'.repeat(200), odd: 'o '.repeat(90) },
    { ...paid, forward: { error: 'closed the connection without an answer', ms: 1 }, state: 'WAITING' },
    { ...paid, duplicate: true, forward: null, state: 'WAITING', synthetic: 'poll' },
    { ...later, id, forward: { status: 302, ms: 60_000 }, state: 'GIVEN_UP', relayed: true },
    { ...rejected, type: 'rejected', reason: 'signature', message: `it ${'x'.repeat(150)} ends` },
  ];

  it.each([20, 40, 60, 72, 80, 93, 104, 120, 200])('is never wider than %i columns', (columns) => {
    for (const report of reports)
      for (const line of lines(report, columns)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('leaves nothing out but the amount and the status', () => {
    for (const report of reports)
      for (const columns of [60, 80]) {
        const told = lines(report, columns).join('').replaceAll(/\s/g, '');
        const all = lineForPeople(report, { colour: false, columns: null, time: '12:00:00' }).split('\t');
        const kept = report.type === 'rejected' ? all : all.toSpliced(3, 2);
        for (const text of kept.join(';').split(/;| {2}/)) expect(told).toContain(text.replaceAll(/\s/g, ''));
      }
  });
});
