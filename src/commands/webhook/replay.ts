/** `webhook replay`: forwards received events again, identical, signed again, or as edited copies. */
import { sign } from '../../contract/signature.ts';
import { configError, PixctlError, usageError } from '../../errors.ts';
import { parseBound } from '../../flags/duration.ts';
import { parseMoment, type Standpoint } from '../../flags/moment.ts';
import { wholeNumber } from '../../flags/whole-number.ts';
import type { Inbox, InboxEntry, InboxEvent } from '../../inbox/inbox.ts';
import { withSignature } from '../../listener/attempt.ts';
import { defaultRetryPolicy } from '../../listener/backoff.ts';
import { eventFacts, fingerprint } from '../../listener/event-facts.ts';
import { readHeaders, withHeaders } from '../../listener/extra-headers.ts';
import { createPost } from '../../listener/post.ts';
import { addressOwed, replayEvent } from '../../listener/replay.ts';
import { parseTarget } from '../../listener/target.ts';
import { standpointOf } from '../../runtime/standpoint.ts';
import type { Runtime } from '../../runtime.ts';
import { counted } from '../../terminal/counted.ts';
import { editBody } from './edit-body.ts';
import { chooseEvents, eventToReplay, type ReplayChoice } from './replay-choice.ts';
import { keptSecrets, namedSecrets } from './secrets.ts';
import { stopped } from './stopped.ts';
import { type Replayed, replayedView } from './view.ts';

export interface ReplayFlags {
  readonly forwardTo?: string;
  readonly last?: string;
  readonly failed?: boolean;
  readonly since?: string;
  readonly event?: string;
  readonly identical?: boolean;
  readonly set?: readonly string[];
  readonly secretFile?: string;
  readonly signatureHeader: string;
  readonly header?: readonly string[];
  readonly retries: string;
  readonly forwardTimeout: string;
  readonly allowRemote?: boolean;
}

/** Throws `endedBadly` (83), after showing, when the application did not take one of them. */
export async function replay(runtime: Runtime, ids: readonly string[], flags: ReplayFlags): Promise<void> {
  const output = await runtime.output();
  output.check(replayedView);
  const { clock } = runtime;
  const choice = readChoice(ids, flags, await standpointOf(runtime, flags));
  const allowRemote = flags.allowRemote === true;
  const forwardTo = flags.forwardTo === undefined ? null : parseTarget(flags.forwardTo, { allowRemote });
  const policy = {
    ...defaultRetryPolicy,
    attempts: 1 + wholeNumber('--retries', flags.retries, { min: 0, max: 100 }),
  };
  const timeoutMs = parseBound(flags.forwardTimeout, '--forward-timeout');
  const headers = readHeaders(flags.header ?? [], flags.signatureHeader);
  if (flags.identical === true && flags.set !== undefined) {
    throw usageError(
      '--identical and --set contradict each other: an edited copy is signed again. Nothing was sent.',
    );
  }
  const secrets = await secretsBySource(runtime, flags);
  const inbox = await runtime.inbox();
  const chosen = await chooseEvents(inbox, choice);
  if (chosen.length === 0) {
    await output.each(replayedView, []);
    return output.note('No event fits. Nothing was sent.');
  }
  const targets = await Promise.all(
    chosen.map(async (event) => forwardTo ?? (await whereBefore(inbox, event, allowRemote))),
  );
  if (runtime.globals.dryRun === true) {
    for (const [at, { eventId }] of chosen.entries())
      output.note(`Would forward ${eventId} to ${targets[at]}.`);
    return output.note('Nothing was sent.');
  }
  const { post, close } = createPost(clock);
  const { signatureHeader } = flags;
  const common = {
    ...{ store: inbox, clock, signatureHeader },
    post: withHeaders(post, headers),
    timeoutMs,
    policy,
    signal: runtime.signal,
  };
  let taken = 0;
  let failed = 0;
  let stillOwed = 0;

  async function* replayed(): AsyncGenerator<Replayed> {
    for (const [at, { key }] of chosen.entries()) {
      if (runtime.signal.aborted) return;
      const event = await eventToReplay(inbox, key);
      const url = targets[at] as string;
      const secret = secrets.get(event.source);
      const owed =
        flags.set === undefined ? event : await editedCopy(inbox, event, flags, secret, clock.now(), url);
      const signNow = () =>
        secret === undefined || flags.identical === true
          ? null
          : sign({ secret, body: owed.body, timestamp: Math.floor(clock.now() / 1000) });
      const owedTo = addressOwed(owed, await inbox.attempts(owed.key));
      const replay = await replayEvent(owed, url, { ...common, sign: signNow, owedTo });
      const { outcome } = replay;
      if (replay.taken) taken += 1;
      else failed += 1;
      if (replay.taken && outcome.state === 'WAITING') stillOwed += 1;
      const { status, error, ms } = outcome;
      yield {
        ...{ id: owed.eventId, event: owed.event, url, state: outcome.state, key: owed.key },
        forward: status === null ? { error: error ?? '', ms } : { status, ms },
        ...{ signature: outcome.signature, attempts: outcome.number, edits: owed.edits },
      };
    }
  }

  try {
    const unsigned = chosen.filter(({ source }) => !secrets.has(source)).length;
    if (unsigned > 0 && flags.identical !== true) {
      output.warn(
        `${unsigned} of them cannot be signed again (no secret is kept here): their signatures stay as they came, and may be too old for the application. Give --secret-file.`,
      );
    }
    await output.each(replayedView, replayed());
    if (stillOwed > 0)
      output.note(
        `${counted(stillOwed, 'event')} that a listener owes to its application: taken here, and still forwarded there.`,
      );
  } finally {
    close();
    await inbox.release();
  }
  if (runtime.signal.aborted)
    throw stopped(runtime.signal, `${taken} of ${chosen.length} were taken with 2xx`);
  if (failed > 0) {
    throw new PixctlError(
      'endedBadly',
      'NOT_TAKEN',
      `${failed} of ${chosen.length} were not taken with 2xx.`,
      {
        hint: 'They stay in the inbox: pixctl webhook replay --failed.',
      },
    );
  }
}

function readChoice(ids: readonly string[], flags: ReplayFlags, standpoint: Standpoint): ReplayChoice {
  const ways = [ids.length > 0, flags.last !== undefined, flags.failed === true, flags.since !== undefined];
  if (!ways.includes(true))
    throw usageError('Say which events: ids, --last, --failed or --since. Nothing was sent.');
  if (ids.length > 0 && ways.filter(Boolean).length > 1) {
    throw usageError('Give either ids or one of --last, --failed, --since. Nothing was sent.');
  }
  return {
    ids,
    event: flags.event ?? null,
    failed: flags.failed === true,
    last: flags.last === undefined ? null : wholeNumber('--last', flags.last, { min: 1, max: 1_000_000 }),
    since: flags.since === undefined ? null : parseMoment('--since', flags.since, standpoint),
  };
}

async function secretsBySource(runtime: Runtime, flags: ReplayFlags): Promise<Map<string, string>> {
  const all = [...((await namedSecrets(runtime, flags)) ?? []), ...(await keptSecrets(runtime))];
  return new Map(all.map((secret) => [fingerprint(secret), secret]));
}

async function whereBefore(inbox: Inbox, event: InboxEntry, allowRemote: boolean): Promise<string> {
  const before = (await inbox.attempts(event.key)).at(-1)?.url;
  if (before !== undefined && before !== '') return parseTarget(before, { allowRemote });
  throw usageError(
    `${event.eventId} was never forwarded, so say where to. Nothing was sent.`,
    'Like -f 3000.',
  );
}

/** An event of its own in the inbox, marked in the list and in a header; the original stays as it was. */
async function editedCopy(
  inbox: Inbox,
  event: InboxEvent,
  flags: ReplayFlags,
  secret: string | undefined,
  now: number,
  target: string,
): Promise<InboxEvent> {
  if (secret === undefined) {
    throw configError(
      'NO_SECRET',
      `An edited copy must be signed, and no secret for ${event.eventId} is known. Nothing was sent.`,
      'Give --secret-file.',
    );
  }
  const edits = (flags.set ?? []).join(', ');
  const body = editBody(event.body, flags.set ?? []);
  const value = sign({ secret, body, timestamp: Math.floor(now / 1000) });
  const headers = [
    ...withSignature(event.headers, flags.signatureHeader, value),
    ['Pixctl-Edited', encodeURI(edits)] as const,
  ];
  const { id: eventId, event: name } = eventFacts(body);
  const { key } = await inbox.add({
    ...{ source: event.source, eventId, event: name, body, headers, edits, target },
    origin: 'edited',
    forward: 'claim',
  });
  const [copy] = await inbox.find(key);
  if (copy === undefined) throw new Error(`the edited copy ${key} is not in the inbox`);
  return copy;
}
