/** How the service says no: thrown by rules, written as the failure envelope by the server. */
import type { AssumptionId } from '../../contract/assumptions.ts';
import { type ErrorCode, errorStatus, isErrorCode } from '../../contract/error-codes.ts';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly status: number;

  constructor(code: ErrorCode, message: string, status: number = errorStatus[code]) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Makes a refusal whose code the document does not show. `choice` is text like `409:CONFLICT`. */
export function assumedRefusal(choice: string, message: string): Refusal {
  const [status = '', code = ''] = choice.split(':');
  return isErrorCode(code) ? new Refusal(code, message, Number(status)) : new Refusal('BAD_REQUEST', message);
}

/** Returns the refusal that `check` throws; null if it throws none. */
export function refusalOf(check: () => unknown): Refusal | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Returns the behaviour at an open point, and marks the answer with its id. */
export type Assume = (id: AssumptionId) => string;
