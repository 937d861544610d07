/** How the lines of `webhook listen` go out. */
import { describe, expect, it } from 'vitest';
import { createLineQueue } from '../../../../../src/commands/webhook/listen/lines/line-queue.ts';
import type { Line } from '../../../../../src/commands/webhook/listen/lines/lines.ts';
import { createRejectedReport } from '../../../../../src/listener/receiving/receive.ts';
import { paidReport as event } from '../../../../support/event-report.ts';

describe('lines on their way', () => {
  it('come in order, in portions, and end', async () => {
    const queue = createLineQueue(() => {});
    const push = (at: number) => queue.push({ line: event, at });
    push(1);
    push(2);
    const portions: (readonly number[])[] = [];
    const reading = (async () => {
      for await (const portion of queue) {
        portions.push(portion.map(({ at }) => at));
        if (portions.length === 1) push(3);
        else queue.end();
      }
    })();
    await reading;
    expect(portions).toEqual([[1, 2], [3]]);
    push(4);
  });

  it('leave out what strangers cause beyond a bound while nobody reads, and say how much, but no event', async () => {
    const warnings: string[] = [];
    const queue = createLineQueue((text) => warnings.push(text), 2);
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
