/** `/__sandbox/clock`: reads it, freezes it, moves it forward. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoTime } from '../../clock.ts';
import type { Advanced } from '../jobs/advance.ts';
import type { Machinery } from '../machinery.ts';
import type { SandboxClock } from '../world/clock.ts';
import { longestAdvanceMs } from '../world/limits.ts';
import { readBody } from './input.ts';

/** The clock as it is shown: `now` is an ISO time. */
export interface ClockReading extends Pick<SandboxClock, 'mode' | 'offsetMs'> {
  readonly now: string;
}

/** The clock after a move forward, with what that did. */
export interface AdvancedClock extends ClockReading, Omit<Advanced, 'now'> {}

const advanceBody = z.strictObject({ ms: z.int().check(z.minimum(0), z.maximum(longestAdvanceMs)) });

export function clockRoutes({ world, jobs }: Machinery): Hono {
  const { clock } = world;
  const show = (): ClockReading => ({
    now: isoTime(clock.now()),
    mode: clock.mode,
    offsetMs: clock.offsetMs,
  });
  return new Hono()
    .get('/', (context) => context.json(show()))
    .post('/freeze', (context) => {
      clock.freeze();
      return context.json(show());
    })
    .post('/unfreeze', (context) => {
      clock.unfreeze();
      jobs.wake();
      return context.json(show());
    })
    .post('/advance', async (context) => {
      const { ms } = await readBody(context, advanceBody);
      const { now, ran, settled } = await jobs.advance(ms);
      return context.json({ ...show(), now: isoTime(now), ran, settled } satisfies AdvancedClock);
    });
}
