/** Forwards the chosen events, several at once to each address, and counts what became of them. */
import { signAt } from '../../../contract/signature.ts';
import { configError } from '../../../errors.ts';
import { shownState } from '../../../forward/forward.ts';
import { eventKeyOf } from '../../../forward/targets.ts';
import type { ForwardState, Inbox, InboxEvent } from '../../../inbox/inbox.ts';
import { createEditedDelivery } from '../../../listener/forwarding/edited-delivery.ts';
import { owedAddressOf, replayEvent } from '../../../listener/forwarding/replay.ts';
import { withHeaders } from '../../../listener/posting/extra-headers.ts';
import type { Post, PostResult } from '../../../listener/posting/post.ts';
import type { Runtime } from '../../../runtime.ts';
import { editBody } from '../edit-body.ts';
import type { Replayed } from '../view.ts';
import type { AddressedEvent } from './addresses.ts';
import { eventToReplay } from './choice.ts';
import type { ReplayRequest } from './flags.ts';
import { severalAtOnce } from './several-at-once.ts';

export interface Forwarding {
  readonly request: ReplayRequest;
  /** By the source of an event. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly inbox: Inbox;
  readonly post: Post;
  /** Updated while they are forwarded. */
  readonly tally: Tally;
}

export interface Tally {
  readonly chosen: number;
  /** How many were begun. */
  begun: number;
  /** What came of each that was sent, in words, until that is recorded and counted. By the address of the event. */
  readonly uncounted: Map<AddressedEvent, string>;
  /** The states of those that were accepted where they were sent, and of those that were not. */
  readonly accepted: ForwardState[];
  readonly notAccepted: ForwardState[];
}

/** To all addresses together: an inbox of many runs may know thousands of them. */
const mostAtOnce = 64;

/**
 * Forwards on demand, until a signal, and yields each when it has ended. To one address, the oldest is begun first.
 */
export async function* forwardAll(
  runtime: Runtime,
  all: readonly AddressedEvent[],
  forwarding: Forwarding,
): AsyncGenerator<Replayed> {
  const { concurrency } = forwarding.request;
  const inAll = Math.max(mostAtOnce, concurrency);
  const pace = {
    laneOf: ({ url }: AddressedEvent) => url,
    perLane: concurrency,
    inAll,
    signal: runtime.signal,
  };
  yield* severalAtOnce(all, pace, (one, stopping) => forwardOne(runtime, one, stopping, forwarding));
}

/** `stopping`: no further attempt is made. The one under way ends early only at a signal. */
async function forwardOne(
  { clock, signal }: Runtime,
  addressed: AddressedEvent,
  stopping: AbortSignal,
  { request, secrets, inbox, post, tally }: Forwarding,
): Promise<Replayed> {
  const { key, url, owedTo: knownPlace } = addressed;
  const event = owedPartOf(await eventToReplay(inbox, key), key);
  const secret = secrets.get(event.source);
  const owed =
    request.edits === null ? event : await storeEditedCopy(inbox, event, request, secret, clock.now(), url);
  const signNow = () =>
    secret === undefined || request.identical ? null : signAt({ secret, body: owed.body, now: clock.now() });
  // An edited copy is an event of its own.
  const place = request.edits === null ? knownPlace : null;
  const owedTo = place ?? owedAddressOf(owed, await inbox.attempts(owed.key));
  tally.begun += 1;
  const { signatureHeader, timeoutMs, policy } = request;
  const send = withHeaders(post, request.headers);
  const telling: Post = async (outgoing) => {
    const result = await send({ ...outgoing, signal });
    tally.uncounted.set(addressed, endOfPost(owed.eventId, result));
    return result;
  };
  const { taken, outcome } = await replayEvent(owed, url, {
    ...{ store: inbox, clock, post: telling, signatureHeader, sign: signNow, timeoutMs, policy, owedTo },
    signal: stopping,
  });
  tally.uncounted.delete(addressed);
  (taken ? tally.accepted : tally.notAccepted).push(outcome.state);
  const { status, error, ms } = outcome;
  return {
    ...{
      id: owed.eventId,
      event: owed.event,
      url,
      state: shownState(outcome.state),
      key: eventKeyOf(owed.key),
    },
    forward: status === null ? { error: error ?? '', ms } : { status, ms },
    ...{ signature: outcome.signature, attempts: outcome.number, edits: owed.edits },
  };
}

/** Of an event for several applications: what is owed to the one whose key this is. */
const owedPartOf = (event: InboxEvent, key: string): InboxEvent => ({
  ...event,
  ...event.targets?.find((owed) => owed.key === key),
});

const endOfPost = (eventId: string, { status, error }: PostResult): string =>
  status === undefined ? `${eventId}: your application ${error}` : `${eventId} was answered with ${status}`;

/** Throws usage (64), data (65) or config (78) if one of them cannot be edited, or its copy cannot be signed. */
export async function refuseUneditable(
  all: readonly AddressedEvent[],
  { request, secrets, inbox }: Pick<Forwarding, 'request' | 'secrets' | 'inbox'>,
): Promise<void> {
  if (request.edits === null) return;
  for (const { key } of all) {
    const event = await eventToReplay(inbox, key);
    editedBody(event, request.edits, secrets.get(event.source));
  }
}

/** Stores an edited copy as an event of its own, marked in the list and in a header. The original stays as it was. */
async function storeEditedCopy(
  inbox: Inbox,
  event: InboxEvent,
  asked: ReplayRequest,
  secret: string | undefined,
  now: number,
  target: string,
): Promise<InboxEvent> {
  const changes = asked.edits ?? [];
  const edits = changes.join(', ');
  const { body, signedWith } = editedBody(event, changes, secret);
  const signature = signAt({ secret: signedWith, body, now });
  const { signatureHeader } = asked;
  const { key } = await inbox.add(
    createEditedDelivery(event, { body, edits, signature, signatureHeader, target }),
  );
  const [copy] = await inbox.find(key);
  if (copy === undefined) throw new Error(`the edited copy ${key} is not in the inbox`);
  return copy;
}

function editedBody(
  event: InboxEvent,
  edits: readonly string[],
  secret: string | undefined,
): { body: Uint8Array; signedWith: string } {
  if (secret !== undefined) return { body: editBody(event.body, edits), signedWith: secret };
  throw configError(
    'NO_SECRET',
    `An edited copy must be signed, and no secret for ${event.eventId} is known. Nothing was sent.`,
    'Give --secret-file.',
  );
}
