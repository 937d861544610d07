/** The envelope of every answer (document: "Conventions for every endpoint", "Errors"). */
import type { FailureEnvelope } from '../contract/envelope.ts';
import type { Outcome, Success } from './calls.ts';
import { Refusal } from './refusal.ts';
import { Told } from './told.ts';

export interface Written {
  readonly status: number;
  readonly body: string;
}

export function writeOutcome(outcome: Outcome): Written {
  if (outcome instanceof Refusal) return writeFailure(outcome);
  return writeSuccess(outcome);
}

function writeSuccess({ status, data, pagination }: Success): Written {
  const items = Array.isArray(data) ? `[${data.map(write).join(',')}]` : write(data);
  const page = pagination === undefined ? '' : `,"pagination":${JSON.stringify(pagination)}`;
  return { status, body: `{"data":${items}${page},"error":null,"success":true}` };
}

const write = (item: unknown): string => (item instanceof Told ? Told.json(item) : JSON.stringify(item));

export function writeFailure({ status, code, message }: Refusal): Written {
  const envelope: FailureEnvelope = { error: code, message, success: false };
  return { status, body: JSON.stringify(envelope) };
}
