/** `webhook replay`: forwards received events again: identical, signed again, or as edited copies. */
import { asSentence, PixctlError } from '../../../errors.ts';
import { warnOfDoubts } from '../../../flags/event-name.ts';
import { fingerprint } from '../../../listener/event-facts.ts';
import { createPost } from '../../../listener/posting/post.ts';
import { postTraceOf } from '../../../runtime/post-trace.ts';
import { standpointOf } from '../../../runtime/standpoint.ts';
import type { Runtime } from '../../../runtime.ts';
import type { Output } from '../../../terminal/output.ts';
import { reaisIn } from '../edit-body.ts';
import { keptSecrets, namedSecrets } from '../secrets/secrets.ts';
import { stopped } from '../stopped.ts';
import { replayedView } from '../view.ts';
import { type Addressed, addressAll } from './addresses.ts';
import { chooseEvents } from './choice.ts';
import { type Asked, type ReplayFlags, readReplay } from './flags.ts';
import { forwardAll, refuseUneditable, type Tally } from './forward.ts';
import { hintOf, notesOf } from './notes.ts';

/**
 * Replays. Throws `endedBadly` (83), after showing, if the application did not accept one of them or was not sent one.
 */
export async function replay(runtime: Runtime, ids: readonly string[], flags: ReplayFlags): Promise<void> {
  const output = await runtime.output(replayedView);
  const asked = readReplay(ids, flags, await standpointOf(runtime, flags));
  if (flags.event !== undefined) warnOfDoubts([flags.event], output.warn);
  const secrets = await secretsBySource(runtime, flags);
  const inbox = await runtime.inbox();
  const events = await addressAll(inbox, await chooseEvents(inbox, asked.choice), asked);
  if (events.length === 0) {
    await output.each(replayedView, []);
    return output.note('No event matches. Nothing was sent.');
  }
  await refuseUneditable(events, { asked, secrets, inbox });
  for (const warning of reaisIn(asked.edits ?? [])) output.warn(warning);
  if (runtime.globals.dryRun === true) {
    for (const { eventId, url } of events) output.note(`Would forward ${eventId} to ${url}.`);
    return output.note('Nothing was sent.');
  }
  runtime.flight.goesOn = true;
  const tally: Tally = { chosen: events.length, begun: 0, uncounted: null, taken: [], vain: [] };
  const { post, close } = createPost(runtime.clock, {
    trace: await postTraceOf(runtime, asked.signatureHeader),
  });
  try {
    warnOfUnsigned(output, events, secrets, asked);
    const forwarded = forwardAll(runtime, events, { asked, secrets, inbox, post, tally });
    await output.each(replayedView, forwarded).catch((cause: unknown) => {
      throw cutShort(tally, cause);
    });
    for (const note of notesOf(tally.taken)) output.note(note);
  } finally {
    close();
    await inbox.release();
  }
  const problem = endOf(tally, runtime.signal);
  if (problem !== null) throw problem;
}

function warnOfUnsigned(
  output: Output,
  events: readonly Pick<Addressed, 'source'>[],
  secrets: ReadonlyMap<string, string>,
  { identical }: Asked,
): void {
  const unsigned = events.filter(({ source }) => !secrets.has(source)).length;
  if (unsigned === 0 || identical) return;
  output.warn(
    `${unsigned} of them cannot be signed again (no secret is stored here): they keep their original signatures, which may be too old for the application. Give --secret-file.`,
  );
}

/** The error for a run that was cut short: 74 and the like would say that nothing was sent. */
function cutShort({ chosen, begun, taken, uncounted }: Tally, cause: unknown): unknown {
  if (begun === 0 || !(cause instanceof PixctlError)) return cause;
  const last = uncounted === null ? '' : `; ${uncounted}`;
  const message = `The run got to ${begun} of ${chosen}, and ${taken.length} were accepted with 2xx and recorded${last}. ${asSentence(cause.message)}`;
  return new PixctlError('unexpected', 'CUT_SHORT', message, { hint: cause.hint, cause });
}

/** Returns what the run ends with; null if all were accepted. */
function endOf({ chosen, taken, vain }: Tally, signal: AbortSignal): Error | null {
  if (signal.aborted) return stopped(signal, `${taken.length} of ${chosen} were accepted with 2xx`);
  const unsent = chosen - taken.length - vain.length;
  const said = [
    ...(vain.length === 0 ? [] : [`${vain.length} of ${chosen} were not accepted with 2xx.`]),
    ...(unsent === 0
      ? []
      : [`${unsent} of ${chosen} were not sent: nobody was reading the output any more.`]),
  ];
  if (said.length === 0) return null;
  const hint = vain.length === 0 ? undefined : hintOf(vain);
  return new PixctlError('endedBadly', 'NOT_TAKEN', said.join(' '), { hint });
}

async function secretsBySource(runtime: Runtime, flags: ReplayFlags): Promise<Map<string, string>> {
  const all = [...((await namedSecrets(runtime, flags)) ?? []), ...(await keptSecrets(runtime))];
  return new Map(all.map((secret) => [fingerprint(secret), secret]));
}
