/** An endpoint's delivery history as the API shows it (document: "Webhook delivery record"). */
import type { DeliveryRecord } from '../../contract/webhook.ts';
import { dateTime } from '../world/date-time.ts';
import type { World } from '../world/world.ts';
import type { AttemptRow } from './delivery-list.ts';
import { type AttemptOutcome, describeOutcome } from './delivery-policy.ts';

export interface HistoryRow extends AttemptRow {
  envelopeId: string;
  name: string;
}

/** The query for an endpoint's history, one row per ended attempt. Its only parameter is the endpoint's id. */
export const historyQuery = {
  select: `SELECT a.*, d.envelope_id AS envelopeId, e.event AS name
    FROM attempts a JOIN deliveries d ON d.seq = a.delivery JOIN events e ON e.seq = d.event
    WHERE a.endpoint = ? AND a.ended_at IS NOT NULL`,
  exists: 'SELECT 1 FROM attempts a WHERE a.endpoint = ? AND a.ended_at IS NOT NULL',
  seq: 'a.seq',
};

/** Shows a row as `GET /webhooks/{id}/deliveries` does. The field names are assumed (`delivery-record`). */
export function toDeliveryRecord(world: Pick<World, 'assume'>, row: HistoryRow): DeliveryRecord {
  const outcome = JSON.parse(row.outcome ?? 'null') as AttemptOutcome;
  const success = row.state === 'DELIVERED';
  return {
    id: `dlv_${row.seq}`,
    eventId: row.envelopeId,
    event: row.name,
    status: row.state ?? 'PENDING',
    httpStatus: outcome.kind === 'answered' ? outcome.status : null,
    success,
    attempt: row.number,
    error: success ? null : describeOutcome(outcome),
    createdAt: dateTime(world, row.started_at),
  };
}

/**
 * Shows the same row without any of the assumed names, and with an error that is not text
 * (`delivery-record=other-names`).
 */
export function withOtherFieldNames(record: DeliveryRecord): DeliveryRecord {
  const { id, eventId, event, httpStatus, success, attempt, error, createdAt } = record;
  return {
    deliveryId: id,
    event: { id: eventId, name: event },
    ...(httpStatus === null ? {} : { status: httpStatus }),
    succeeded: success,
    attemptNumber: attempt,
    lastError: error === null ? null : { message: error },
    attemptedAt: createdAt,
  };
}
