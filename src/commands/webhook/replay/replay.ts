/** `webhook replay`: forwards received events again: identical, signed again, or as edited copies. */
import { asSentence, PixctlError } from '../../../errors.ts';
import { warnOfUnknownEvents } from '../../../flags/event-name.ts';
import { fingerprint } from '../../../listener/event-facts.ts';
import { createPost } from '../../../listener/posting/post.ts';
import { postTraceOf } from '../../../runtime/post-trace.ts';
import { timeReferenceOf } from '../../../runtime/time-reference.ts';
import type { Runtime } from '../../../runtime.ts';
import type { Output } from '../../../terminal/output.ts';
import { reaisWarnings } from '../edit-body.ts';
import { readNamedSecrets, readSecretTexts } from '../secrets/secrets.ts';
import { stoppedError } from '../stopped-error.ts';
import { replayedView } from '../view.ts';
import { type AddressedEvent, resolveAddresses } from './addresses.ts';
import { chooseEvents } from './choice.ts';
import { parseReplayRequest, type ReplayFlags, type ReplayRequest } from './flags.ts';
import { forwardAll, refuseUneditable, type Tally } from './forward.ts';
import { hintOf, notesOf } from './notes.ts';

/**
 * Replays. Throws `endedBadly` (83), after showing, if the application did not accept one of them or was not sent one.
 */
export async function replay(runtime: Runtime, ids: readonly string[], flags: ReplayFlags): Promise<void> {
  const output = await runtime.output(replayedView);
  const request = parseReplayRequest(ids, flags, await timeReferenceOf(runtime, flags));
  if (flags.event !== undefined) warnOfUnknownEvents([flags.event], output.warn);
  // What is sent with its original signature needs no secret, so no keychain is asked for one.
  const secrets = request.identical ? new Map<string, string>() : await secretsBySource(runtime, flags);
  const inbox = await runtime.inbox();
  const events = await resolveAddresses(inbox, await chooseEvents(inbox, request.choice), request);
  if (events.length === 0) {
    await output.each(replayedView, []);
    return output.note('No event matches. Nothing was sent.');
  }
  await refuseUneditable(events, { request, secrets, inbox });
  for (const warning of reaisWarnings('--set', request.edits ?? [])) output.warn(warning);
  if (runtime.globals.dryRun === true) {
    for (const { eventId, url } of events) output.note(`Would forward ${eventId} to ${url}.`);
    return output.note('Nothing was sent.');
  }
  runtime.flight.continuesOnFilterError = true;
  const tally: Tally = {
    ...{ chosen: events.length, begun: 0, uncounted: new Map() },
    ...{ accepted: [], notAccepted: [] },
  };
  const { post, close } = createPost(runtime.clock, {
    connections: request.concurrency,
    trace: await postTraceOf(runtime, request.signatureHeader),
  });
  try {
    warnOfUnsigned(output, events, secrets, request);
    const forwarded = forwardAll(runtime, events, { request, secrets, inbox, post, tally });
    await output.each(replayedView, forwarded).catch((cause: unknown) => {
      throw cutShortError(tally, cause);
    });
    for (const note of notesOf(tally.accepted)) output.note(note);
  } finally {
    close();
    await inbox.releaseAllClaims();
  }
  const problem = endOf(tally, runtime.signal);
  if (problem !== null) throw problem;
}

function warnOfUnsigned(
  output: Output,
  events: readonly Pick<AddressedEvent, 'source'>[],
  secrets: ReadonlyMap<string, string>,
  { identical }: ReplayRequest,
): void {
  const unsigned = events.filter(({ source }) => !secrets.has(source)).length;
  if (unsigned === 0 || identical) return;
  output.warn(
    `${unsigned} of them cannot be signed again (no secret is stored here): they keep their original signatures, which may be too old for the application. Give --secret-file.`,
  );
}

/** How many of those that were sent and not recorded are named. */
const mostTold = 5;

/** The error for a run that was cut short: 74 and the like would say that nothing was sent. */
function cutShortError({ chosen, begun, accepted, uncounted }: Tally, cause: unknown): unknown {
  if (begun === 0 || !(cause instanceof PixctlError)) return cause;
  const said = [...uncounted.values()];
  const more = said.length > mostTold ? [`and ${said.length - mostTold} more`] : [];
  const sent = ['', ...said.slice(0, mostTold), ...more].join('; ');
  const message = `The run got to ${begun} of ${chosen}, and ${accepted.length} were accepted with 2xx and recorded${sent}. ${asSentence(cause.message)}`;
  return new PixctlError('unexpected', 'CUT_SHORT', message, { hint: cause.hint, cause });
}

/** Returns what the run ends with; null if all were accepted. */
function endOf({ chosen, accepted, notAccepted }: Tally, signal: AbortSignal): Error | null {
  if (signal.aborted) return stoppedError(signal, `${accepted.length} of ${chosen} were accepted with 2xx`);
  const unsent = chosen - accepted.length - notAccepted.length;
  const said = [
    ...(notAccepted.length === 0 ? [] : [`${notAccepted.length} of ${chosen} were not accepted with 2xx.`]),
    ...(unsent === 0
      ? []
      : [`${unsent} of ${chosen} were not sent: nobody was reading the output any more.`]),
  ];
  if (said.length === 0) return null;
  const hint = notAccepted.length === 0 ? undefined : hintOf(notAccepted);
  return new PixctlError('endedBadly', 'NOT_TAKEN', said.join(' '), { hint });
}

async function secretsBySource(runtime: Runtime, flags: ReplayFlags): Promise<Map<string, string>> {
  const all = [...((await readNamedSecrets(runtime, flags)) ?? []), ...(await readSecretTexts(runtime))];
  return new Map(all.map((secret) => [fingerprint(secret), secret]));
}
