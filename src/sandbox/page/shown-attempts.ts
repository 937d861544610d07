/** Converts the sandbox's attempts to the form that `page` shows. */
import type { ShownAttempt } from '../../page/attempt.ts';
import type { Attempt, Delivery } from '../deliveries/delivery-list.ts';
import { toneOf } from './facts.ts';

export const toShownAttempts = (delivery: Delivery): ShownAttempt[] =>
  delivery.attempts.map((attempt) => {
    const { response } = attempt;
    return {
      key: `${delivery.id}.${attempt.number}`,
      label: `${delivery.replayOf === null ? '' : `replay ${delivery.id}, `}attempt ${attempt.number}`,
      startedAt: Date.parse(attempt.startedAt),
      endedAt: attempt.endedAt === null ? null : Date.parse(attempt.endedAt),
      durationMs: attempt.durationMs,
      tone: attemptTone(attempt),
      outcome: outcomeOf(attempt),
      reason: attempt.reason ?? '',
      request: {
        line: `POST ${delivery.url}`,
        headers: Object.entries(attempt.request.headers),
        body: attempt.request.body,
      },
      signedText: attempt.signedText,
      response:
        response === null
          ? null
          : {
              line: `HTTP ${response.status}`,
              headers: Object.entries(response.headers),
              body: response.body,
            },
      remarks: attempt.faults.map((fault) => `changed by ${fault}`),
    };
  });

/** An attempt that another follows has failed, although the delivery as a whole has not. */
function attemptTone({ endedAt, state }: Attempt): ShownAttempt['tone'] {
  if (endedAt === null) return 'wait';
  return state === 'PENDING' ? 'bad' : toneOf(state ?? '');
}

function outcomeOf({ endedAt, response }: Attempt): string {
  if (response !== null) return `HTTP ${response.status}`;
  return endedAt === null ? 'under way' : 'no answer';
}
