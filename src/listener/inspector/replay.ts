/** Replays requested on the page: one attempt, now, recorded like any other. */
import { parseObject } from '../../contract/json-object.ts';
import { signAt } from '../../contract/signature.ts';
import { dataError, usageError } from '../../errors.ts';
import { fingerprint } from '../event-facts.ts';
import { defaultRetryPolicy } from '../forwarding/backoff.ts';
import { createEditedDelivery } from '../forwarding/edited-delivery.ts';
import { owedAddressOf, replayEvent } from '../forwarding/replay.ts';
import { chooseTarget, type Targets } from '../posting/targets.ts';
import type { Attempt, InboxEvent } from '../store.ts';
import type { InspectorDependencies } from './dependencies.ts';

/** Makes one attempt at each address. Throws `usageError`, before anything is sent, if there is none. */
export async function replayOnce(
  dependencies: InspectorDependencies,
  event: InboxEvent,
  how: 'identical' | 'resigned',
): Promise<void> {
  const urls = await requireAddresses(dependencies, event);
  // Without the secret, the forwarding would keep the received signature, which is not what the button says.
  if (how === 'resigned' && secretOf(dependencies, event.source) === null) {
    throw usageError(
      'This event came with another secret, so it cannot be signed again here. Nothing was sent.',
      `Send it with its original signature, or use the command line, which knows the stored secrets: pixctl webhook replay ${event.key}`,
    );
  }
  for (const url of urls) await sendTo(url, dependencies, event, how);
}

async function sendTo(
  url: string,
  dependencies: InspectorDependencies,
  event: InboxEvent,
  how: 'identical' | 'resigned',
): Promise<void> {
  const owed = event.targets?.find(({ target }) => target === url) ?? event.targets?.[0];
  const part: InboxEvent = { ...event, ...owed };
  const owedTo = owedAddressOf(
    part,
    await dependencies.store.attempts(part.key),
    owed?.target ?? dependencies.targets.forEvent(event.event),
  );
  await replayEvent(part, url, {
    ...dependencies,
    owedTo,
    policy: { ...defaultRetryPolicy, attempts: 1 },
    sign: () => (how === 'identical' ? null : signBody(dependencies, event.source, event.body)),
  });
}

/**
 * Stores an edited copy as an event of its own, marked, for each address; the original stays as it was. Returns the key
 * of the first.
 */
export async function replayEdited(
  dependencies: InspectorDependencies,
  event: InboxEvent,
  text: string,
): Promise<string> {
  const urls = await requireAddresses(dependencies, event);
  const body = new TextEncoder().encode(text);
  const signature = signBody(dependencies, event.source, body);
  if (signature === null) {
    throw usageError(
      'This event came with another secret, so an edited copy cannot be signed. Nothing was sent.',
    );
  }
  if (parseObject(text) === null)
    throw dataError('BAD_BODY', 'The body is not a JSON object. Nothing was sent.');
  const { signatureHeader } = dependencies;
  const keys: string[] = [];
  for (const target of urls) {
    const edit = { body, edits: 'edited on the page', signature, signatureHeader, target };
    const { key } = await dependencies.store.add(createEditedDelivery(event, edit));
    keys.push(key);
    const [copy] = await dependencies.store.find(key);
    if (copy !== undefined) await sendTo(target, dependencies, copy, 'resigned');
  }
  return keys[0] ?? event.key;
}

/** An address; null, or a reason, if there is none. */
export type ReplayAddress = string | null | { readonly refused: string };

/**
 * Returns where this listener forwards such events, because a replay from here means the applications of this run.
 * Otherwise, where the event went before.
 */
export function replayAddressesOf(
  targets: Targets,
  event: Pick<InboxEvent, 'event' | 'target' | 'targets'>,
  attempts: readonly Pick<Attempt, 'url'>[],
): readonly ReplayAddress[] {
  const several = targets.severalForEvent(event.event);
  if (several !== null) return several;
  if (event.targets === undefined || targets.forEvent(event.event) !== null)
    return [replayAddressOf(targets, event, attempts)];
  return event.targets.map(({ target }) => chooseTarget(targets, { event: event.event, target }));
}

function replayAddressOf(
  targets: Targets,
  { event, target }: Pick<InboxEvent, 'event' | 'target'>,
  attempts: readonly Pick<Attempt, 'url'>[],
): ReplayAddress {
  const before = attempts.findLast(({ url }) => url !== '')?.url ?? target;
  return targets.forEvent(event) ?? chooseTarget(targets, { event, target: before });
}

async function requireAddresses(
  { store, targets }: InspectorDependencies,
  event: InboxEvent,
): Promise<readonly string[]> {
  return replayAddressesOf(targets, event, await store.attempts(event.key)).map(requireAddress);
}

/** Throws `usageError`, which says that nothing was sent, if there is no address. */
function requireAddress(url: ReplayAddress): string {
  if (typeof url === 'string') return url;
  throw usageError(
    url === null
      ? 'Nothing is forwarded (no --forward-to). Nothing was sent.'
      : `${url.refused}. Nothing was sent.`,
  );
}

/** Returns the secret under which an event came; null if it is not one of this listener's. */
export const secretOf = (
  { secrets }: Pick<InspectorDependencies, 'secrets'>,
  signer: string,
): string | null => secrets().find((one) => fingerprint(one) === signer) ?? null;

function signBody(dependencies: InspectorDependencies, signer: string, body: Uint8Array): string | null {
  const secret = secretOf(dependencies, signer);
  return secret === null ? null : signAt({ secret, body, now: dependencies.clock.now() });
}
