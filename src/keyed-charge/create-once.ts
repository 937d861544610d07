/**
 * `charge create --idempotency-key`: one charge for one key, kept in the ledger because the service knows no such key.
 * The states are those of a withdrawal, and no byte leaves before SENDING is durable.
 */
import type { Cents, IdempotencyKey } from '../contract/brand.ts';
import type { Charge, CreateChargeBody } from '../contract/charge.ts';
import type { Intent, Scope } from '../ledger/intent.ts';
import { intentId } from '../ledger/intent-id.ts';
import { isBeingSent, recordOwnerGone } from '../sending/still-sending.ts';
import * as chargeErrors from './charge-errors.ts';
import type { Dependencies } from './dependencies.ts';
import { send } from './send.ts';

export interface ChargeRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  readonly body: CreateChargeBody;
}

export type Created =
  | { readonly kind: 'created'; readonly charge: Charge }
  /** The key already had its charge, and nothing was sent. */
  | { readonly kind: 'replayed'; readonly chargeId: string };

/**
 * Returns the charge of the key: the one that it has, or a new one. Rejects with 85 if the key stands for something
 * else, 75 while another process is sending it, and 81 if its outcome is not known.
 */
export async function createOnce(
  dependencies: Dependencies,
  { scope, idempotencyKey, body }: ChargeRequest,
): Promise<Created> {
  const { ledger, clock, newId } = dependencies;
  const request = canonical(body);
  const id = intentId(scope, idempotencyKey);
  const { intent } = await ledger.plan(
    { id, kind: 'charge', scope, idempotencyKey, amount: body.amount as Cents, request },
    { id: newId(), at: clock.now(), what: 'planned' },
  );
  if (!isSameCharge(intent, body)) throw chargeErrors.keyReused(intent, body);
  switch (intent.state) {
    case 'ACCEPTED':
    case 'COMPLETED':
    case 'FAILED':
      return { kind: 'replayed', chargeId: intent.resourceId ?? '' };
    case 'SENDING':
    case 'UNKNOWN': {
      const open = await recordIfAbandoned(dependencies, intent);
      if (open === null) throw chargeErrors.busy(intent);
      if (open.state === 'UNKNOWN') throw chargeErrors.outcomeUnknown(open);
      return { kind: 'created', charge: await send(dependencies, open, body) };
    }
    case 'PLANNED':
    case 'REFUSED':
    case 'NOT_SENT':
      return { kind: 'created', charge: await send(dependencies, intent, body) };
  }
}

/**
 * Returns a charge whose send was begun as it stands once its process is gone: UNKNOWN, or NOT_SENT if no byte had
 * left. Null while it is being sent, and if somebody else changed it.
 */
export async function recordIfAbandoned(dependencies: Dependencies, intent: Intent): Promise<Intent | null> {
  if (intent.state !== 'SENDING') return intent;
  return (await isBeingSent(dependencies, intent)) ? null : recordOwnerGone(dependencies, intent);
}

/** Whether the key stands for exactly this: a charge with the same fields. */
export const isSameCharge = ({ kind, request }: Intent, body: CreateChargeBody): boolean =>
  kind === 'charge' && request === canonical(body);

/** Returns the same text for the same request, whatever the order of its fields. */
const canonical = ({ method, amount, description, customerId, expiresIn }: CreateChargeBody): string =>
  JSON.stringify({ method, amount, description, customerId, expiresIn });
