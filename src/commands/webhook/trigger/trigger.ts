/** `webhook trigger`: sends an event of one's own, signed, straight to an application or through the listener. */
import { eventNames, isEventName } from '../../../contract/event-names.ts';
import { type PixctlError, usageError } from '../../../errors.ts';
import { isStdin } from '../../../flags/input.ts';
import { nearest } from '../../../flags/nearest.ts';
import { defaultPort, parseWholeNumber } from '../../../flags/whole-number.ts';
import { parseHeaders } from '../../../listener/posting/extra-headers.ts';
import { parseSeveralTargets } from '../../../listener/posting/targets.ts';
import { readJsonObject } from '../../../runtime/input-file.ts';
import type { Runtime } from '../../../runtime.ts';
import { writeAsItCame } from '../../../terminal/write-as-it-came.ts';
import { editBody, reaisWarnings } from '../edit-body.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import { refuseSecondRead, type SecretFlags } from '../secrets/secrets.ts';
import { stoppedError } from '../stopped-error.ts';
import { problemOf } from './judge.ts';
import { triggeredViewFor } from './triggered-view.ts';

export interface TriggerFlags extends SecretFlags {
  readonly forwardTo?: readonly string[];
  readonly set?: readonly string[];
  readonly remove?: readonly string[];
  readonly data?: string;
  readonly times: string;
  readonly allowRemote?: boolean;
  readonly signatureHeader: string;
  readonly header?: readonly string[];
}

/**
 * Sends the event to each application. Throws later (75) if none was reached, endedBadly (83) if one did not answer
 * 2xx.
 */
export async function trigger(runtime: Runtime, name: string, flags: TriggerFlags): Promise<void> {
  const { forwardTo = [String(defaultPort)], allowRemote = false } = flags;
  const urls = parseSeveralTargets(forwardTo, { allowRemote });
  const output = await runtime.output(triggeredViewFor(urls));
  const times = parseWholeNumber('--times', flags.times, { min: 1, max: 100_000 });
  const { signatureHeader } = flags;
  const headers = parseHeaders(flags.header ?? [], signatureHeader);
  const data = await readData(runtime, flags);
  if (data === null && !isEventName(name)) throw unknownEvent(name);
  const { bodyOf } = await import('./sample-body.ts');
  const make = () => editBody(bodyOf(name, data, runtime.clock.now()), flags.set ?? [], flags.remove ?? []);
  for (const warning of reaisWarnings(flags.set ?? [])) output.warn(warning);
  if (runtime.globals.dryRun === true) {
    await writeAsItCame(runtime.io, Buffer.concat([make(), Buffer.from('\n')]));
    return output.note(`This would be signed and sent to ${urls.join(' and ')}. Nothing was sent.`);
  }
  const secret = await requireSecret(runtime, flags, urls[0]);
  const { sendEvents } = await import('./send-events.ts');
  const sent = await sendEvents(runtime, { urls, times, make, secret, signatureHeader, headers });
  if (runtime.signal.aborted) {
    const count = sent.reduce((sum, { rows }) => sum + rows.length, 0);
    const what = urls.length === 1 ? 'events' : 'deliveries';
    throw stoppedError(runtime.signal, `${count} of ${times * urls.length} ${what} were sent`);
  }
  const problem = problemOf(sent, times);
  if (problem !== null) throw problem;
}

async function readData(runtime: Runtime, flags: TriggerFlags): Promise<object | null> {
  if (flags.data === undefined) return null;
  if (flags.data.startsWith('@') && isStdin(flags.data.slice(1))) refuseSecondRead(flags);
  return readJsonObject(runtime, flags.data);
}

function unknownEvent(name: string): PixctlError {
  const near = nearest(name, eventNames);
  return usageError(
    `"${name}" is not a documented event.${near === undefined ? '' : ` Did you mean ${near}?`} Nothing was sent.`,
    `There are ${eventNames.join(', ')}. Another name can be sent with data of your own: --data @file.`,
  );
}
