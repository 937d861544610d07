/** With what `webhook listen` ends: the code and the words for each way. */
import { describe, expect, it } from 'vitest';
import {
  createEnding,
  type Finished,
  reportEnd,
  watchTime,
} from '../../../../src/commands/webhook/listen/ending.ts';
import type { Runtime } from '../../../../src/runtime.ts';
import type { Output } from '../../../../src/terminal/output.ts';

interface End {
  readonly waiting?: number;
  readonly exitAfter?: number | null;
  readonly late?: boolean;
  readonly several?: boolean;
  readonly received?: number;
  readonly attempted?: number;
  readonly notAccepted?: number;
  readonly stoppedBy?: NodeJS.Signals;
  readonly withoutStdin?: boolean;
}

/** `<exit> <message>`, or what it warned of. */
function endOf({
  waiting = 0,
  exitAfter = null,
  late = false,
  several = false,
  withoutStdin = false,
  stoppedBy,
  ...counts
}: End): string {
  const stopping = new AbortController();
  if (stoppedBy !== undefined) stopping.abort(stoppedBy);
  const warned: string[] = [];
  const tell = (text: string) => warned.push(text);
  const output = { warn: tell, note: tell } as unknown as Output;
  const finished = {
    ...{ exitAfter, late, withoutStdin, withinMs: 1_500 },
    tally: { received: 0, attempted: 0, notAccepted: 0, ...counts },
  } as unknown as Finished;
  const owed = { own: waiting, others: 0, countsForwards: several, unnamed: [] };
  try {
    reportEnd({ signal: stopping.signal } as Runtime, output, owed, finished);
  } catch (error) {
    const { exit, message } = error as { exit: number; message: string };
    return `${exit} ${message}`;
  }
  return warned.join();
}

const oneWaits =
  '1 event stored and not yet accepted by your application; the next webhook listen forwards it';

it.each<[string, End, string]>([
  ['by itself', {}, ''],
  ['by itself while something waits', { waiting: 1 }, `Stopped: ${oneWaits}.`],
  ['by Ctrl-C', { stoppedBy: 'SIGINT' }, '130 Stopped: no event is waiting to be forwarded.'],
  [
    'by SIGTERM, whatever else there is to say',
    { stoppedBy: 'SIGTERM', waiting: 2, exitAfter: 3, late: true, notAccepted: 1 },
    '143 Stopped: 2 events stored and not yet accepted by your application; the next webhook listen forwards them.',
  ],
  [
    'with stdin, while something waits',
    { withoutStdin: true, waiting: 1 },
    `stdin has ended, so the listener stops.,Stopped: ${oneWaits}.`,
  ],
  [
    'with stdin, before all has come that it waits for',
    { withoutStdin: true, exitAfter: 2, received: 1, attempted: 1 },
    '82 1 of 2 events had come when stdin ended. Stopped: no event is waiting to be forwarded.',
  ],
  [
    'of several applications',
    { stoppedBy: 'SIGINT', waiting: 2, several: true },
    '130 Stopped: 2 forwards not yet accepted by your applications; the next webhook listen makes them.',
  ],
  ['after all that it waited for', { exitAfter: 2, received: 2, attempted: 2 }, ''],
  ['late, with all that it waited for', { exitAfter: 2, late: true, received: 2, attempted: 2 }, ''],
  [
    'late, with less',
    { exitAfter: 2, late: true, received: 1, attempted: 1 },
    '82 1 of 2 events came within 1.5 s.',
  ],
  [
    'late, before the application had answered',
    { exitAfter: 2, late: true, received: 2, attempted: 1, waiting: 1 },
    `82 2 of 2 events came within 1.5 s, of which your application had not yet answered 1. Stopped: ${oneWaits}.`,
  ],
  ['late, where no number was asked for', { late: true, received: 1 }, ''],
  [
    'with what the application refused',
    { exitAfter: 2, received: 2, attempted: 2, notAccepted: 1, waiting: 1 },
    `83 Your application has not accepted 1 event of those shown. Stopped: ${oneWaits}.`,
  ],
  [
    'before its number, because nobody read on',
    { exitAfter: 2, received: 1, attempted: 1 },
    '82 1 of 2 events had come when nobody was reading the output any more. Stopped: no event is waiting to be forwarded.',
  ],
])('it ends %s', (_, end, words) => {
  expect(endOf(end)).toBe(words);
});

describe('the end of a run', () => {
  it('keeps what it failed with first, and takes no more lines', async () => {
    let ends = 0;
    const ending = createEnding({ end: () => void ends++ });
    ending.begin();
    expect([ending.signal.aborted, ends, ending.failure(), ending.hasTimedOut()]).toEqual([
      true,
      0,
      null,
      false,
    ]);
    ending.fail('first');
    ending.fail('second');
    ending.markTimedOut();
    await ending.whenOver;
    expect([ends, ending.failure(), ending.hasTimedOut()]).toEqual([2, 'first', true]);
  });

  it.each([
    ['is called when the time is over', 1_000, 'never', 1],
    ['is not called for what ended before', 1_000, 'before', 0],
    ['is not called for what ends by the last look', 1_000, 'by the look', 0],
    ['is called two seconds later at most, if the inbox does not answer the last look', 1_000, 'stalled', 1],
    ['is not called without a limit', null, 'never', 0],
  ] as const)('late %s', async (_, withinMs, ends, calls) => {
    const over = new AbortController();
    const never = new Promise<void>(() => {});
    const clock = {
      async sleep(ms: number) {
        if (ms !== 1_000) expect(ms).toBe(2_000);
        if (ms === 2_000 && ends !== 'stalled') await never;
        if (ends === 'before') over.abort();
      },
    };
    let called = 0;
    const look = async () => {
      if (ends === 'by the look') over.abort();
      if (ends === 'stalled') await never;
    };
    await watchTime({ clock } as unknown as Runtime, { withinMs }, over.signal, look, () => void called++);
    expect(called).toBe(calls);
  });
});
