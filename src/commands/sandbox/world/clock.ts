/** `pixctl sandbox clock get|advance|freeze|unfreeze`. */
import { PixctlError } from '../../../errors.ts';
import { parseDuration, refuseLonger } from '../../../flags/duration.ts';
import type { Runtime } from '../../../runtime.ts';
import type { AdvancedClock } from '../../../sandbox/control/clock.ts';
import { longestAdvanceMs } from '../../../sandbox/world/limits.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import { openControl, showAnswer } from '../control.ts';
import { clockView } from './view.ts';

export const getClock = (runtime: Runtime) => showAnswer(runtime, clockView, 'GET', '/clock');

export const setClock = (runtime: Runtime, change: 'freeze' | 'unfreeze') =>
  showAnswer(runtime, clockView, 'POST', `/clock/${change}`);

/** Moves the clock. Exits with 82 if what became due did not end in time; the clock was moved even so. */
export async function advanceClock(runtime: Runtime, by: string): Promise<void> {
  const ms = parseDuration(by, '<duration>');
  refuseLonger(ms, longestAdvanceMs, by, '<duration>');
  const output = await runtime.output(clockView);
  const clock = await (await openControl(runtime)).call<AdvancedClock>('POST', '/clock/advance', { ms });
  await output.show(clockView, clock);
  if (!clock.settled) {
    throw new PixctlError(
      'pending',
      'NOT_SETTLED',
      'The clock was moved, but some of the work that became due has not finished yet.',
      {
        hint: 'It continues in the background; pixctl sandbox clock advance 0 waits for it again.',
      },
    );
  }
  const ran = clock.ran === 0 ? 'Nothing was due.' : `${formatCount(clock.ran, 'due job')} ran.`;
  output.note(
    `${ran} A charge whose time has passed is EXPIRED from now on; that needs no job (assumption expired-transition).`,
  );
}
