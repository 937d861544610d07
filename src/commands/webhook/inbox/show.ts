/** `webhook show <event id>`: shows one event in full. */
import { isoTime } from '../../../clock.ts';
import { explainVerification } from '../../../contract/signature/explain.ts';
import { orError, PixctlError, removeNothingSent, usageError } from '../../../errors.ts';
import { MissingInputError } from '../../../flags/mistakes/missing-input-error.ts';
import type { Attempt, Inbox, InboxEvent } from '../../../inbox/inbox.ts';
import { fingerprint } from '../../../listener/event-facts.ts';
import type { Runtime } from '../../../runtime.ts';
import { withLocalTimes, zonedTime } from '../../../terminal/local-times.ts';
import type { View } from '../../../terminal/view.ts';
import { writeAsItCame } from '../../../terminal/write-as-it-came.ts';
import { notInInbox, originalOf } from '../named-event.ts';
import { readBody } from '../read-body.ts';
import { readNamedSecrets, readSecretTexts } from '../secrets/secrets.ts';
import { entryView, type ShownEntry, stateInWords } from '../view.ts';
import { shownEntry } from './list.ts';

export interface ShowFlags {
  readonly last?: boolean;
  readonly body?: boolean;
  readonly secretFile?: string;
  readonly signatureHeader: string;
}

interface ShownEvent extends ShownEntry {
  readonly headers: InboxEvent['headers'];
  /** The signature, explained in words. */
  readonly signature: string;
  readonly body: unknown;
  readonly forwards: readonly (Omit<Attempt, 'startedAt'> & { startedAt: string })[];
}

/** Throws `notFound` (88) for an event that is not there, and a usage error (64) where it is not said which. */
export async function show(runtime: Runtime, id: string | undefined, flags: ShowFlags): Promise<void> {
  if (id === undefined && flags.last !== true)
    throw new MissingInputError('event id', 'Which event? Give its id, or --last. Nothing was sent.', {
      hint: 'pixctl webhook inbox lists the events.',
    });
  if (id !== undefined && flags.last === true)
    throw usageError('An id and --last contradict each other. Nothing was sent.', 'Give one of them.');
  const output = await runtime.output(eventView);
  const { filter, fields, format } = output.options;
  if (flags.body === true && (filter !== undefined || fields !== null || format === 'csv'))
    throw usageError(
      '--body prints the body as it came: --jq, --fields and -o csv do not apply. Nothing was sent.',
      'Without --body: --jq .body',
    );
  const inbox = await runtime.inbox();
  const wanted = id ?? (await newestIn(inbox));
  const found = await inbox.find(wanted);
  const event = originalOf(found, wanted);
  if (event === undefined) throw notInInbox(wanted, inbox.location);
  const others = found.filter((each) => each !== event);
  if (flags.body === true) return writeAsItCame(runtime.io, event.body);
  const { headers, body, ...entry } = event;
  const attempts = await attemptsOf(inbox, event);
  const shown: ShownEvent = {
    ...shownEntry(entry),
    headers,
    signature: await judge(runtime, event, flags),
    body: readBody(body),
    forwards: attempts.map((attempt) => ({ ...attempt, startedAt: isoTime(attempt.startedAt) })),
  };
  await output.show(eventView, shown);
  await output.text(
    asText(runtime.io.stdoutIsTerminal ? inLocalTime(shown, output.options.timeZone) : shown),
  );
  if (others.length > 0) {
    output.note(`Also under this id: ${others.map(({ key, origin }) => `${key} (${origin})`).join(', ')}`);
  }
}

/** Of an event for several applications: those at the first, then those at the next, and so on. */
async function attemptsOf(inbox: Inbox, { key, targets }: InboxEvent): Promise<Attempt[]> {
  const keys = targets?.map((owed) => owed.key) ?? [key];
  return (await Promise.all(keys.map((each) => inbox.attempts(each)))).flat();
}

/** The key of what came last; an edited copy did not come. Throws `notFound` (88) where nothing has. */
async function newestIn(inbox: Inbox): Promise<string> {
  for await (const { key, origin } of inbox.list()) if (origin !== 'edited') return key;
  throw new PixctlError('notFound', 'EMPTY_INBOX', `The inbox at ${inbox.location} is empty.`, {
    hint: 'pixctl webhook listen fills it.',
  });
}

const eventView = entryView as View<ShownEvent>;

/** For people, as the table above it has its times. What came from elsewhere stays as it is. */
const inLocalTime = (event: ShownEvent, timeZone: string | null): ShownEvent => ({
  ...event,
  signature: withLocalTimes(event.signature, timeZone),
  forwards: event.forwards.map((forward) => ({
    ...forward,
    startedAt: zonedTime(Date.parse(forward.startedAt), timeZone),
  })),
});

function asText({ headers, signature, body, forwards, targets }: ShownEvent): string {
  const states = targets?.map((owed) => `  ${owed.target}  ${stateInWords(owed)}`) ?? [];
  const attempts = forwards.flatMap(
    ({ number, startedAt, url, status, error, ms, signature: kind, answer }) => [
      `  ${number}. ${startedAt}  ${url}  ${status ?? error}  ${ms} ms  (${kind} signature)`,
      ...(answer === null
        ? []
        : answer
            .trimEnd()
            .split('\n')
            .map((line) => `     ${line}`)),
    ],
  );
  return [
    '',
    'Headers',
    ...headers.map(([name, value]) => `  ${name}: ${value}`),
    '',
    'Signature',
    ...signature.split('\n').map((line) => `  ${line}`),
    '',
    'Body',
    ...(typeof body === 'string' ? body : JSON.stringify(body, null, 2))
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'Forwarded',
    ...states,
    ...(attempts.length === 0 ? ['  not attempted'] : attempts),
  ].join('\n');
}

/** Whether a secret that is known here made the signature, step by step. */
async function judge(runtime: Runtime, event: InboxEvent, flags: ShowFlags): Promise<string> {
  const name = flags.signatureHeader.toLowerCase();
  const header = event.headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
  const secrets = (await readNamedSecrets(runtime, flags)) ?? (await orError(readSecretTexts(runtime)));
  // A keychain that is locked keeps nobody from the rest of the event.
  if (secrets instanceof PixctlError)
    return `it was verified when it arrived; ${removeNothingSent(secrets.message).replace(/\.$/, '')} (--secret-file)`;
  const secret = secrets.find((one) => fingerprint(one) === event.source);
  if (secret === undefined) {
    const known =
      secrets.length === 0
        ? 'no secret is stored here'
        : 'it was not made with any of the secrets stored here';
    return `it was verified when it arrived; ${known} (--secret-file)`;
  }
  const at = { secret, body: event.body, header, now: event.receivedAt, toleranceMs: null };
  const { verified, steps } = explainVerification(at);
  const first = verified.ok
    ? `genuine: signed at ${isoTime(verified.timestamp * 1000)}, received ${lateness(event, verified.timestamp)}`
    : verified.message;
  return [first, ...steps.map(({ step, verdict, text }) => `${step}: ${verdict}, ${text}`)].join('\n');
}

function lateness({ receivedAt }: InboxEvent, timestamp: number): string {
  const seconds = Math.floor(receivedAt / 1000) - timestamp;
  return seconds >= 0 ? `${seconds} s later` : `${-seconds} s earlier`;
}
