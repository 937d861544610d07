/** Decides how `webhook trigger` ends: whether every application accepted every event. Pure. */
import { PixctlError } from '../../../errors.ts';
import { isRedirect, isSuccessStatus, mayRefuseSignature } from '../../../forward/forward.ts';
import type { Sent } from './send-events.ts';
import type { Triggered } from './triggered-view.ts';

/**
 * Returns the error that it ends with, null if all was accepted: later (75) if nothing was received anywhere,
 * endedBadly (83) if an event was received but not accepted, or not received by one of several. `times`: how many
 * events each was to get.
 */
export function problemOf(sent: readonly Sent[], times: number): PixctlError | null {
  const lacking = sent.filter(({ rows }) => rows.filter(isAccepted).length < times);
  const [first] = lacking;
  if (first === undefined) return null;
  if (sent.every(({ reached, rows }) => !reached && rows.length === 1)) {
    const message = sent.map((one) => `Nothing was received at ${one.url}: ${reasonOf(one)}.`).join(' ');
    return new PixctlError('later', 'NOT_REACHED', message, {
      hint: 'Start your application, or pixctl webhook listen, and try again.',
    });
  }
  const message = lacking
    .map((one) => {
      const taken = one.rows.filter(isAccepted).length;
      return `${one.url} accepted ${taken} of ${times} events: ${reasonOf(one)}.`;
    })
    .join(' ');
  const refused = lacking.find(({ rows }) => refusalIn(rows)?.status !== null) ?? first;
  return new PixctlError('endedBadly', 'NOT_TAKEN', message, {
    hint: whyRefused(refusalIn(refused.rows), refused.answer),
  });
}

const isAccepted = ({ status }: Triggered): boolean => isSuccessStatus(status);
const refusalIn = (rows: readonly Triggered[]): Triggered | undefined => rows.find((row) => !isAccepted(row));

function reasonOf({ rows }: Sent): string {
  const problem = refusalIn(rows);
  return problem === undefined
    ? 'the rest was not sent'
    : `it ${problem.error ?? `answered ${problem.status}`}`;
}

/** Quotes the receiver, and names the most usual reason for a refusal, about which it may say nothing. */
function whyRefused(refused: Triggered | undefined, answer: string | null): string | undefined {
  const words = answer === null ? [] : [`It said "${answer.slice(0, 300)}".`];
  const status = refused?.status ?? 0;
  if (isRedirect(status)) words.push('A redirect is not followed: give the address that it leads to.');
  if (mayRefuseSignature(status))
    words.push(
      'If it refuses the signature, it has another secret: --secret-file, --endpoint or PIXCTL_WEBHOOK_SECRET chooses the one that is used here.',
    );
  return words.length === 0 ? undefined : words.join(' ');
}
