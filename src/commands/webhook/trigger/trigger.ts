/** `webhook trigger`: sends an event of one's own, signed, straight to an application or through the listener. */
import { eventNames, isEventName } from '../../../contract/event.ts';
import { PixctlError, usageError } from '../../../errors.ts';
import { nearest } from '../../../flags/nearest.ts';
import { defaultPort, parseWholeNumber } from '../../../flags/whole-number.ts';
import { isRedirect, isSuccessStatus } from '../../../forward/forward.ts';
import { parseHeaders } from '../../../listener/posting/extra-headers.ts';
import { parseTarget } from '../../../listener/posting/target.ts';
import { readJsonObject } from '../../../runtime/input-file.ts';
import type { Runtime } from '../../../runtime.ts';
import { editBody, reaisWarnings } from '../edit-body.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import { refuseSecondRead, type SecretFlags } from '../secrets/secrets.ts';
import { stoppedError } from '../stopped-error.ts';
import type { Sent } from './send-events.ts';
import { type Triggered, triggeredView } from './triggered-view.ts';

export interface TriggerFlags extends SecretFlags {
  readonly forwardTo?: string;
  readonly set?: readonly string[];
  readonly remove?: readonly string[];
  readonly data?: string;
  readonly times: string;
  readonly allowRemote?: boolean;
  readonly signatureHeader: string;
  readonly header?: readonly string[];
}

/** Sends the event. Throws later (75) if the application was not reached, endedBadly (83) if it did not answer 2xx. */
export async function trigger(runtime: Runtime, name: string, flags: TriggerFlags): Promise<void> {
  const output = await runtime.output(triggeredView);
  const url = parseTarget(flags.forwardTo ?? String(defaultPort), {
    allowRemote: flags.allowRemote === true,
  });
  const times = parseWholeNumber('--times', flags.times, { min: 1, max: 100_000 });
  const { signatureHeader } = flags;
  const headers = parseHeaders(flags.header ?? [], signatureHeader);
  const data = await readData(runtime, flags);
  if (data === null && !isEventName(name)) throw unknownEvent(name);
  const { bodyOf } = await import('./sample-body.ts');
  const make = () => editBody(bodyOf(name, data, runtime.clock.now()), flags.set ?? [], flags.remove ?? []);
  for (const warning of reaisWarnings(flags.set ?? [])) output.warn(warning);
  if (runtime.globals.dryRun === true) {
    await runtime.io.write(Buffer.concat([make(), Buffer.from('\n')]));
    return output.note(`This would be signed and sent to ${url}. Nothing was sent.`);
  }
  const secret = await requireSecret(runtime, flags, url);
  const { sendEvents } = await import('./send-events.ts');
  const sent = await sendEvents(runtime, { url, times, make, secret, signatureHeader, headers });
  if (runtime.signal.aborted)
    throw stoppedError(runtime.signal, `${sent.rows.length} of ${times} events were sent`);
  judge(sent, times, url);
}

/** Throws 75 if nothing was there to receive, 83 if an event was received but not accepted. */
function judge({ rows, reached, answer }: Sent, times: number, url: string): void {
  const taken = rows.filter(({ status }) => isSuccessStatus(status)).length;
  if (taken === times) return;
  const problem = rows.find(({ status }) => !isSuccessStatus(status));
  const said =
    problem === undefined ? 'the rest was not sent' : `it ${problem.error ?? `answered ${problem.status}`}`;
  if (!reached && rows.length === 1)
    throw new PixctlError('later', 'NOT_REACHED', `Nothing was received at ${url}: ${said}.`, {
      hint: 'Start your application, or pixctl webhook listen, and try again.',
    });
  const message = `${url} accepted ${taken} of ${times} events: ${said}.`;
  throw new PixctlError('endedBadly', 'NOT_TAKEN', message, { hint: whyRefused(problem, answer) });
}

/** Quotes the receiver, and names the most usual reason for a refusal, about which it may say nothing. */
function whyRefused(refused: Triggered | undefined, answer: string | null): string | undefined {
  const words = answer === null ? [] : [`It said "${answer.slice(0, 300)}".`];
  const status = refused?.status ?? 0;
  if (isRedirect(status)) words.push('A redirect is not followed: give the address that it leads to.');
  if ([400, 401, 403].includes(status))
    words.push(
      'If it refuses the signature, it has another secret: --secret-file, --endpoint or PIXCTL_WEBHOOK_SECRET chooses the one that is used here.',
    );
  return words.length === 0 ? undefined : words.join(' ');
}

async function readData(runtime: Runtime, flags: TriggerFlags): Promise<object | null> {
  if (flags.data === undefined) return null;
  if (flags.data === '@-') refuseSecondRead(flags);
  return readJsonObject(runtime, flags.data);
}

function unknownEvent(name: string): PixctlError {
  const near = nearest(name, eventNames);
  return usageError(
    `"${name}" is not a documented event.${near === undefined ? '' : ` Did you mean ${near}?`} Nothing was sent.`,
    `There are ${eventNames.join(', ')}. Another name can be sent with data of your own: --data @file.`,
  );
}
