/** The envelope of every answer (document: "Conventions for every endpoint", "Errors"). */
import type { FailureEnvelope } from '../contract/envelope.ts';
import { type AnswerBody, writeBody } from './answer-body.ts';
import type { Outcome, Success } from './calls.ts';
import { Refusal } from './refusal.ts';
import { Told } from './told.ts';

export interface Written {
  readonly status: number;
  readonly body: AnswerBody;
}

export function writeOutcome(outcome: Outcome): Written {
  if (outcome instanceof Refusal) return { status: outcome.status, body: writeBody(failureText(outcome)) };
  return writeSuccess(outcome);
}

function writeSuccess({ status, data, pagination }: Success): Written {
  const end = ',"error":null,"success":true}';
  const page = pagination === undefined ? end : `,"pagination":${JSON.stringify(pagination)}${end}`;
  const body = Array.isArray(data)
    ? writeBody('{"data":[', ...data.map(write), ']', page)
    : writeBody('{"data":', write(data), page);
  return { status, body };
}

const write = (item: unknown, at = 0): string => {
  const text = item instanceof Told ? Told.json(item) : JSON.stringify(item);
  return at === 0 ? text : `,${text}`;
};

export function failureText({ code, message }: Refusal): string {
  const envelope: FailureEnvelope = { error: code, message, success: false };
  return JSON.stringify(envelope);
}
