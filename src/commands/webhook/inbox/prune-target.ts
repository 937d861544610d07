/** `webhook inbox prune --target`: lets go of what an application that is gone never accepted. */
import { isoTime } from '../../../clock.ts';
import { PixctlError } from '../../../errors.ts';
import type { Inbox } from '../../../inbox/inbox.ts';
import { parseTarget } from '../../../listener/posting/target.ts';
import { confirmChange } from '../../../runtime/confirm.ts';
import type { Runtime } from '../../../runtime.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import { stoppedError } from '../stopped-error.ts';
import { prunedView } from './pruned-view.ts';

interface ForgetRequest {
  /** As typed. */
  readonly target: string;
  /** Received before this, in milliseconds since the epoch; null: whenever. */
  readonly before: number | null;
}

/**
 * Takes it from the application after a question. Throws `policy` (87) while a running listener forwards there, or if
 * the answer is no.
 */
export async function forgetTarget(runtime: Runtime, request: ForgetRequest): Promise<void> {
  const output = await runtime.output(prunedView);
  const target = parseTarget(request.target, { allowRemote: true });
  const inbox = await runtime.inbox();
  const choice = { target, before: request.before ?? Number.MAX_SAFE_INTEGER };
  const age = request.before === null ? '' : ` received before ${isoTime(request.before)}`;
  const { signal } = runtime;
  const waiting = await inbox.countForTarget(choice, signal);
  if (signal.aborted) throw stoppedError(signal, 'nothing was removed');
  const what = `${formatCount(waiting, 'event')}${age} that ${target} has not accepted`;
  if (runtime.globals.dryRun === true) return output.note(`Would let go of ${what}. Nothing was removed.`);
  await refuseLiving(inbox, target);
  const shown = { state: null, target, before: request.before === null ? null : isoTime(request.before) };
  if (waiting === 0) return output.show(prunedView, { removed: 0, ...shown, inbox: inbox.location });
  await confirmChange(
    runtime,
    `Let go of ${what}? They are never forwarded there again, and stay in the inbox for your other applications.`,
  );
  // A listener may have been started while the question stood.
  await refuseLiving(inbox, target);
  const { forgotten, held } = await inbox.forgetTarget(choice, signal);
  if (signal.aborted)
    throw stoppedError(
      signal,
      `let go of ${formatCount(forgotten, 'event')} that ${target} had not accepted, and it is still owed any others`,
    );
  runtime.flight.completed = {
    what: `Let go of ${formatCount(forgotten, 'event')} that ${target} had not accepted.`,
    hint: 'There is no need to do it again.',
  };
  await output.show(prunedView, { removed: forgotten, ...shown, inbox: inbox.location });
  if (held > 0)
    output.warn(
      `${formatCount(held, 'event')} ${held === 1 ? 'is' : 'are'} being forwarded there just now, and ${held === 1 ? 'was' : 'were'} left.`,
    );
}

async function refuseLiving(inbox: Pick<Inbox, 'isForwardedTo'>, target: string): Promise<void> {
  if (!(await inbox.isForwardedTo(target))) return;
  const message = `A running listener forwards to ${target}. Nothing was removed.`;
  throw new PixctlError('policy', 'STILL_FORWARDED', message, {
    hint: 'Stop it, or start it without that address, and run this again.',
  });
}
