/** `pixctl sandbox requests`: what the documented plane was asked, and what it answered. */
import type { Clock } from '../../../clock.ts';
import { parseWholeNumber } from '../../../flags/whole-number.ts';
import type { Runtime } from '../../../runtime.ts';
import { maxLoggedRequests as kept } from '../../../sandbox/world/limits.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import { type Control, openControl } from '../control.ts';
import { followList } from '../follow-list.ts';
import { queryOf } from '../list-query.ts';
import { isFailed, type ListedRequest, requestView } from './view.ts';

export interface RequestFlags {
  readonly follow?: boolean;
  readonly failed?: boolean;
  readonly limit: string;
}

/** How often it is asked for more, in milliseconds. */
const every = 500;

/** Oldest first, so that the newest stands above the prompt. */
export async function listRequests(runtime: Runtime, flags: RequestFlags): Promise<void> {
  const limit = parseWholeNumber('--limit', flags.limit, { min: 1, max: kept });
  const output = await runtime.output(requestView);
  const fits = (request: ListedRequest) => flags.failed !== true || isFailed(request);
  const control = await openControl(runtime);
  const newest = await read(control, { limit: flags.failed === true ? kept : limit });
  const past = newest.filter(fits).slice(0, limit).reverse();
  if (flags.follow !== true) return void (await output.each(requestView, past));
  await followList(runtime, output, {
    view: requestView,
    what: 'requests',
    async *createItems(signal, asking) {
      yield* past;
      const after = newest[0]?.number ?? 0;
      for await (const request of follow(signal, asking, { clock: runtime.clock, after, onMissed }))
        if (fits(request)) yield request;
    },
  });
  function onMissed(count: number): void {
    output.warn(
      `Not listed: ${formatCount(count, 'request')}. The sandbox keeps ${kept}, and none from before a reset.`,
    );
  }
}

interface Since {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Number of the last request that is known. */
  readonly after: number;
  readonly onMissed: (count: number) => void;
}

/** Those that come, until `signal`. */
async function* follow(
  signal: AbortSignal,
  control: Control,
  { clock, after, onMissed }: Since,
): AsyncGenerator<ListedRequest> {
  let last = after;
  for (;;) {
    await clock.sleep(every, signal);
    const fresh = signal.aborted ? null : await unlessEnded(signal, next(control, last));
    if (fresh === null) return;
    last = fresh.after;
    if (fresh.missed > 0) onMissed(fresh.missed);
    yield* fresh.requests;
  }
}

/** What came after the request of that number; a sandbox that was started again counts from 1. */
async function next(control: Control, after: number) {
  const since = async (number: number) => (await read(control, { after: number, limit: kept })).reverse();
  const found = await since(after);
  if (found.length > 0) return toBatch(found, after);
  const [newest] = await read(control, { limit: 1 });
  const isAnew = newest !== undefined && newest.number < after;
  return isAnew ? toBatch(await since(0), 0) : toBatch([], after);
}

function toBatch(requests: readonly ListedRequest[], after: number) {
  const first = requests[0]?.number ?? after + 1;
  return { requests, after: requests.at(-1)?.number ?? after, missed: first - after - 1 };
}

/** Null where the signal has ended it. */
async function unlessEnded<T>(signal: AbortSignal, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Newest first. */
const read = (control: Control, query: Readonly<Record<string, number>>): Promise<ListedRequest[]> =>
  control.call<ListedRequest[]>('GET', `/requests${queryOf(query)}`);
