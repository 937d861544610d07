/** Times as pages show them: UTC to the second, and how long until something. */
import { isoTime } from '../clock.ts';

/** `now`: the time runs on while the page is open. */
export const Moment = ({ at, now = false }: { at: number; now?: boolean }) => (
  <time datetime={isoTime(at)} title={isoTime(at)} data-clock={now ? 'now' : undefined}>
    {isoTime(at).slice(0, 19).replace('T', ' ')}
  </time>
);

/** Counted down in the page, on the page's own clock. */
export const Countdown = ({ until, now }: { until: number; now: number }) => (
  <time datetime={isoTime(until)} title={isoTime(until)} data-due={until} data-testid="countdown">
    {until <= now ? 'now' : `in ${formatDuration(until - now)}`}
  </time>
);

/** Shows nothing. At that time, the page requests itself again, because nobody will tell it of the change. */
export const RefreshAt = ({ at }: { at: number }) => (
  <time datetime={isoTime(at)} data-due={at} hidden></time>
);

/** `350 ms`, `1.5 s`, `4 min`, `23 h`, `6 d`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} d`;
}
