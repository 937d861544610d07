/** The columns of the calls that a sandbox was asked for. */
import { parseObject } from '../../../contract/json-object.ts';
import type { LoggedRequest } from '../../../sandbox/wire/logged-request.ts';
import type { View } from '../../../terminal/view.ts';

/** As the control plane has it. */
export interface ListedRequest extends Omit<LoggedRequest, 'at'> {
  /** ISO time on the sandbox's clock. */
  readonly at: string;
}

/** Refused, or without an answer (a fault). */
export const isFailed = ({ status }: ListedRequest): boolean => status === null || status >= 400;

export const requestView: View<ListedRequest> = {
  name: 'request',
  columns: [
    { key: 'number', header: 'No', dropPriority: 2 },
    { key: 'at', header: 'At', dropPriority: 1, kind: 'time' },
    { key: 'method', header: 'Method' },
    { key: 'target', header: 'Path' },
    { key: 'status', header: 'Answer', text: answered },
    { key: 'why', header: 'Why', kind: 'text', value: whyOf },
    { key: 'faults', header: 'Faults', value: ({ faults }) => faults.join(', '), detail: true },
    {
      key: 'assumptions',
      header: 'Assumes',
      value: ({ assumptions }) => assumptions.join(', '),
      detail: true,
    },
    { key: 'operation', header: 'Operation', detail: true },
    { key: 'merchantId', header: 'Merchant', detail: true },
    { key: 'request', header: 'Sent', detail: true },
    { key: 'answer', header: 'Answered', detail: true },
  ],
};

function answered({ status }: ListedRequest): string {
  return status === null ? 'none' : `${status}`;
}

/** Code and message of a refusal, that there was no answer, and which fault fired; else nothing. */
function whyOf(request: ListedRequest): string | null {
  if (!isFailed(request)) return null;
  const { status, answer, faults } = request;
  const said = status === null ? 'no answer' : refusalIn(answer ?? '');
  const words = [
    ...(said === null ? [] : [said]),
    ...(faults.length === 0 ? [] : [`(${faults.join(', ')})`]),
  ];
  return words.length === 0 ? null : words.join(' ');
}

/** Null for what is not in the service's envelope. */
function refusalIn(answer: string): string | null {
  const { error, message } = parseObject(answer) ?? {};
  return typeof error === 'string' && typeof message === 'string' ? `${error}: ${message}` : null;
}
