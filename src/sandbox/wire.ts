/** The envelope of every answer (document: "Conventions for every endpoint", "Errors"). */
import type { FailureEnvelope } from '../contract/envelope.ts';
import type { Outcome, Success } from './calls.ts';
import { Refusal } from './refusal.ts';

export interface Written {
  readonly status: number;
  readonly body: string;
}

export function writeOutcome(outcome: Outcome): Written {
  if (outcome instanceof Refusal) return writeFailure(outcome);
  return writeSuccess(outcome);
}

function writeSuccess(success: Success): Written {
  const { status, data, pagination } = success;
  const envelope =
    pagination === undefined
      ? { data, error: null, success: true }
      : { data, pagination, error: null, success: true };
  return { status, body: JSON.stringify(envelope) };
}

export function writeFailure({ status, code, message }: Refusal): Written {
  const envelope: FailureEnvelope = { error: code, message, success: false };
  return { status, body: JSON.stringify(envelope) };
}
