/** Replays requested on the page: one attempt, now, recorded like any other. */
import { isObject } from '../../contract/json-object.ts';
import { signAt } from '../../contract/signature.ts';
import { dataError, usageError } from '../../errors.ts';
import { fingerprint } from '../event-facts.ts';
import { defaultRetryPolicy } from '../forwarding/backoff.ts';
import { createEditedDelivery } from '../forwarding/edited-delivery.ts';
import { owedAddressOf, replayEvent } from '../forwarding/replay.ts';
import { chooseTarget, type Targets } from '../posting/targets.ts';
import type { Attempt } from '../store.ts';
import type { InspectorDependencies, ReceivedEvent } from './dependencies.ts';

/** Makes one attempt. Throws `usageError`, before anything is sent, if there is no address. */
export async function replayOnce(
  dependencies: InspectorDependencies,
  event: ReceivedEvent,
  how: 'identical' | 'resigned',
): Promise<void> {
  const attempts = await dependencies.store.attempts(event.key);
  const url = requireAddress(replayAddressOf(dependencies.targets, event, attempts));
  // Without the secret, the forwarding would keep the received signature, which is not what the button says.
  if (how === 'resigned' && secretOf(dependencies, event.source) === null) {
    throw usageError(
      'This event came with another secret, so it cannot be signed again here. Nothing was sent.',
      `Send it with its original signature, or use the command line, which knows the stored secrets: pixctl webhook replay ${event.key}`,
    );
  }
  await sendTo(url, dependencies, event, attempts, how);
}

async function sendTo(
  url: string,
  dependencies: InspectorDependencies,
  event: ReceivedEvent,
  attempts: readonly Attempt[],
  how: 'identical' | 'resigned',
): Promise<void> {
  const owedTo = owedAddressOf(event, attempts, dependencies.targets.forEvent(event.event));
  await replayEvent(event, url, {
    ...dependencies,
    owedTo,
    policy: { ...defaultRetryPolicy, attempts: 1 },
    sign: () => (how === 'identical' ? null : signBody(dependencies, event.source, event.body)),
  });
}

/** Stores an edited copy as an event of its own, marked; the original stays as it was. Returns its key. */
export async function replayEdited(
  dependencies: InspectorDependencies,
  event: ReceivedEvent,
  text: string,
): Promise<string> {
  const attempts = await dependencies.store.attempts(event.key);
  const url = requireAddress(replayAddressOf(dependencies.targets, event, attempts));
  const body = new TextEncoder().encode(text);
  const signature = signBody(dependencies, event.source, body);
  if (signature === null) {
    throw usageError(
      'This event came with another secret, so an edited copy cannot be signed. Nothing was sent.',
    );
  }
  if (!isJsonObject(text)) throw dataError('BAD_BODY', 'The body is not a JSON object. Nothing was sent.');
  const { signatureHeader } = dependencies;
  const { key } = await dependencies.store.add(
    createEditedDelivery(event, {
      body,
      edits: 'edited on the page',
      signature,
      signatureHeader,
      target: url,
    }),
  );
  const [copy] = await dependencies.store.find(key);
  if (copy !== undefined) await sendTo(url, dependencies, copy, [], 'resigned');
  return key;
}

/**
 * Returns where this listener forwards such events, because a replay from here means the application of this run.
 * Otherwise, where the event went before. Null, or a reason, if there is no such address.
 */
export function replayAddressOf(
  targets: Targets,
  { event, target }: Pick<ReceivedEvent, 'event' | 'target'>,
  attempts: readonly Pick<Attempt, 'url'>[],
): string | null | { refused: string } {
  const before = attempts.findLast(({ url }) => url !== '')?.url ?? target;
  return targets.forEvent(event) ?? chooseTarget(targets, { event, target: before });
}

/** Throws `usageError`, which says that nothing was sent, if there is no address. */
function requireAddress(url: ReturnType<typeof replayAddressOf>): string {
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

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value);
  } catch {
    return false;
  }
}
