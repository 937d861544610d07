/**
 * Tells an open page that what it shows has changed. Only that fact is pushed: the page then requests itself again, one
 * page of a list at most. Looking costs a counter or two, and only while somebody watches; however much happens, a page
 * hears of it at most five times a second.
 */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Clock } from '../clock.ts';

/** A number or text for each topic; a different one means that something changed. */
export type Versions = () => Readonly<Record<string, number | string>>;

const pollEveryMs = 200;
const keepAliveEveryMs = 15_000;

/** The topics' versions as one text, as `since` takes it. */
export function versionOf(versions: Versions, topics: readonly string[]): string {
  const now = versions();
  return topics.map((topic) => now[topic] ?? '').join('.');
}

export function streamChanges(context: Context, versions: Versions, clock: Clock): Response {
  const topics = (context.req.query('topics') ?? '').split(' ').filter((topic) => topic !== '');
  let sentVersion = context.req.header('last-event-id') ?? context.req.query('since') ?? '';
  const readVersion = (): string | null => {
    try {
      return versionOf(versions, topics);
    } catch {
      // What is watched has been closed, or cannot be read: the page then requests itself again, and is told.
      return null;
    }
  };
  return streamSSE(context, async (stream) => {
    let quietSince = clock.monotonic();
    const ending = new AbortController();
    stream.onAbort(() => ending.abort());
    while (!stream.aborted && !stream.closed) {
      const version = readVersion();
      if (version === null) return;
      if (version !== sentVersion) {
        await stream.writeSSE({ id: version, data: 'changed' });
        sentVersion = version;
        quietSince = clock.monotonic();
      } else if (clock.monotonic() - quietSince > keepAliveEveryMs) {
        await stream.write(': \n\n');
        quietSince = clock.monotonic();
      }
      await clock.sleep(pollEveryMs, ending.signal);
    }
  });
}
