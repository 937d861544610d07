/** Names the usual reason why an application refuses what it is sent, about which its answer may say nothing. */
import { mayRefuseSignature } from '../../../forward/forward.ts';
import type { Report } from '../../../listener/report.ts';

/** Returns what to call with each report. It notes the reason once. */
export function createRefusalNote(
  { printSecret }: { readonly printSecret: boolean },
  note: (text: string) => void,
): (report: Report) => void {
  let isTold = false;
  return ({ forward }) => {
    if (isTold || forward === null || !('status' in forward) || !mayRefuseSignature(forward.status)) return;
    isTold = true;
    note(
      `If your application refuses the signature (${forward.status}), it has another secret than this listener${printSecret ? '' : ': --print-secret shows the one that is used here'}.`,
    );
  };
}
