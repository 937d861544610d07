/** `webhook trigger`: sends an event of one's own, signed, straight to an application or through the listener. */
import { randomUUID } from 'node:crypto';
import { parseJson } from '../../../api/json.ts';
import { eventNames, isEventName } from '../../../contract/event-names.ts';
import { type PixctlError, usageError } from '../../../errors.ts';
import { isStdin } from '../../../flags/input.ts';
import { nearest } from '../../../flags/nearest.ts';
import { defaultPort, parseWholeNumber } from '../../../flags/whole-number.ts';
import { parseHeaders } from '../../../listener/posting/extra-headers.ts';
import { parseSeveralTargets } from '../../../listener/posting/targets.ts';
import { readJsonObject } from '../../../runtime/input-file.ts';
import type { Runtime } from '../../../runtime.ts';
import type { Output } from '../../../terminal/output.ts';
import type { View } from '../../../terminal/view.ts';
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
  readonly add?: readonly string[];
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
  const { format, fields } = output.options;
  if (runtime.globals.dryRun === true && (format === 'csv' || fields !== null))
    throw usageError(
      'With --dry-run, the body is shown, which is JSON: -o csv and --fields do not apply. Nothing was sent.',
      'Parts of it: --jq .data.id',
    );
  const times = parseWholeNumber('--times', flags.times, { min: 1, max: 100_000 });
  const { signatureHeader } = flags;
  const headers = parseHeaders(flags.header ?? [], signatureHeader);
  const data = await readData(runtime, flags);
  if (data === null && !isEventName(name)) throw unknownEvent(name);
  const { eventOf } = await import('../../../contract/event-samples.ts');
  const { set = [], add = [], remove = [] } = flags;
  const make = () => {
    const event = eventOf(name, data, { now: runtime.clock.now(), newId });
    // Compact, as the service is likely to send it.
    const body = new TextEncoder().encode(JSON.stringify(event));
    return editBody(body, set, { added: add, removed: remove });
  };
  for (const warning of [...reaisWarnings('--set', set), ...reaisWarnings('--add', add)])
    output.warn(warning);
  if (runtime.globals.dryRun === true) {
    await showBody(runtime, output, make());
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

const newId = (): string => randomUUID().replaceAll('-', '');

/** Shows what would be sent: its bytes, or what `--jq` makes of them. */
async function showBody({ io }: Runtime, output: Output, body: Uint8Array): Promise<void> {
  if (output.options.filter !== undefined) return output.show(bodyView, parseJson(body) as object);
  await writeAsItCame(io, Buffer.concat([body, Buffer.from('\n')]));
}

/** For what is written whole. */
const bodyView: View<object> = { name: 'event', columns: [] };

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
