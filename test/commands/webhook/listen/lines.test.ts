/** The lines of `webhook listen` for people, and how they go out. */
import { describe, expect, it } from 'vitest';
import { createLineQueue } from '../../../../src/commands/webhook/listen/line-queue.ts';
import { type Line, lineForPeople, type TimedLine } from '../../../../src/commands/webhook/listen/lines.ts';
import { droppableRejections } from '../../../../src/commands/webhook/listen/reports.ts';
import { createRejectedReport } from '../../../../src/listener/receiving/receive.ts';
import type { EventReport, Report } from '../../../../src/listener/report.ts';

const event: EventReport = {
  type: 'event',
  id: 'evt_1',
  event: 'CHARGE_PAID',
  verified: true,
  duplicate: false,
  forward: { status: 200, ms: 12.4 },
  state: 'DELIVERED',
  amount: 12_345,
  status: 'PAID',
  key: 'in_1',
};
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
      'a duplicate',
      { ...event, duplicate: true, forward: null },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\tagain; not forwarded twice',
    ],
    [
      'a duplicate that was not taken, whose application is asked',
      { ...event, duplicate: true, forward: null, state: 'GIVEN_UP', asked: true },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\tagain; forwarded to your application once more',
    ],
    [
      'a duplicate that is forwarded nowhere',
      { ...event, duplicate: true, forward: null, state: 'NONE' },
      '12:00:00\tCHARGE_PAID\tevt_1\tR$ 123,45\tPAID\tagain; kept',
    ],
    [
      'one kept',
      { ...event, forward: null, state: 'NONE' },
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
    expect(lineForPeople(report, { colour: false, aligned: false, time: '12:00:00' })).toBe(line);
  });

  it('is coloured by what became of it, on a terminal', () => {
    const painted = lineForPeople(event, { colour: true, aligned: true, time: '12:00:00' });
    expect(painted).toContain('\u001b[32m-> 200 in 12 ms\u001b[39m');
  });
});

describe('lines on their way', () => {
  it('come in order, in portions, and end', async () => {
    const queue = createLineQueue<number>();
    queue.push(1);
    queue.push(2);
    const portions: (readonly number[])[] = [];
    const reading = (async () => {
      for await (const portion of queue) {
        portions.push(portion);
        if (portions.length === 1) queue.push(3);
        else queue.end();
      }
    })();
    await reading;
    expect(portions).toEqual([[1, 2], [3]]);
    queue.push(4);
  });

  it('leave out what strangers cause beyond a bound while nobody reads, and say how much, but no event', async () => {
    const warnings: string[] = [];
    const queue = createLineQueue<TimedLine>(droppableRejections((text) => warnings.push(text), 2));
    const refused = createRejectedReport('signature', 'it does not verify', 400);
    const push = (...sent: readonly Line[]) => {
      for (const line of sent) queue.push({ line, at: 0 });
    };
    push(refused, event, refused, refused, event, refused, event);
    const portions: string[][] = [];
    for await (const portion of queue) {
      portions.push(portion.map(({ line }) => line.type));
      if (portions.length === 1) push(refused, refused, refused);
      if (portions.length === 2) push(refused);
      if (portions.length === 3) queue.end();
    }
    expect(portions).toEqual([
      ['rejected', 'event', 'rejected', 'event', 'event'],
      ['rejected', 'rejected'],
      ['rejected'],
    ]);
    expect(warnings).toEqual([
      '2 more refused requests came while nobody was reading the output; they are not listed.',
      '1 more refused request came while nobody was reading the output; it is not listed.',
    ]);
  });
});
