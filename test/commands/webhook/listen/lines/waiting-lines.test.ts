/** What a reader that has stopped leaves waiting. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createLineQueue } from '../../../../../src/commands/webhook/listen/lines/line-queue.ts';
import type { TimedLine } from '../../../../../src/commands/webhook/listen/lines/lines.ts';
import { paidReport } from '../../../../support/event-report.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const lineOf = (number: number): TimedLine => ({
  at: 1_767_323_045_000 + number,
  line: { ...paidReport, id: `evt_${number}`, forward: { status: 200, ms: 1.25 }, odd: 'ç\u0001"' },
});

it('lines that nobody reads are packed, and still come out whole and in order', async () => {
  const queue = createLineQueue(() => {});
  const oldest = new WeakRef(lineOf(0));
  queue.push(oldest.deref() as TimedLine);
  for (let number = 1; number < 20_000; number++) queue.push(lineOf(number));
  // A WeakRef holds what it refers to until the turn of the event loop is over.
  await new Promise(setImmediate);
  collect();
  expect(oldest.deref()).toBe(undefined);
  queue.end();
  const all: TimedLine[] = [];
  for await (const portion of queue) {
    expect(portion.length).toBeLessThan(4_500);
    all.push(...portion);
  }
  expect(all).toHaveLength(20_000);
  expect(all.findIndex(({ at }, index) => at !== lineOf(index).at)).toBe(-1);
  expect([all[0], all[19_999]]).toEqual([lineOf(0), lineOf(19_999)]);
});
