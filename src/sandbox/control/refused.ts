/** What a refusal of the control plane says, for those who call it. */
import { parseObject } from '../../contract/json-object.ts';
import type { ExitName } from '../../errors.ts';

export interface Refused {
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
}

/** The message for a path that this sandbox does not have, such as one of another version's commands. */
export const noSuchRoute = 'the control plane has no such route';

/** Returns the error in a body; null if there is none, or the body is not JSON. */
export function readRefusal(body: Uint8Array): Refused | null {
  const { error } = (parseObject(Buffer.from(body).toString('utf8')) ?? {}) as { error?: Refused };
  return error ?? null;
}

/** The kind of error for an HTTP status from 300 on. */
export function refusedKind(status: number): ExitName {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'notFound';
  if (status === 408) return 'pending';
  if (status === 507) return 'storage';
  return status >= 500 ? 'unexpected' : 'refused';
}
