/** Converts intents and events to rows, and back. */
import type { Cents, IdempotencyKey } from '../contract/brand.ts';
import { isObject } from '../contract/json-object.ts';
import { placeholders } from '../database/placeholders.ts';
import type { Value } from '../database/port.ts';
import { storageError } from '../errors.ts';
import {
  type Intent,
  type IntentEvent,
  type IntentKind,
  type IntentState,
  intentStates,
  type NewEvent,
  type Scope,
} from './intent.ts';

export interface IntentRow {
  id: string;
  kind: IntentKind;
  scope: string;
  idempotency_key: string;
  state: IntentState;
  version: number;
  amount: number;
  request: string;
  resource_id: string | null;
  inferred: number;
  result: string | null;
  reason: string | null;
  owner_host: string | null;
  owner_boot: string | null;
  owner_pid: number | null;
  owner_started: string | null;
  fence: number | null;
  departed: number;
  listed: number | null;
  created_at: number;
  sent_at: number | null;
  updated_at: number;
}

/**
 * Throws `storage` (74) for a row that no pixctl of this version wrote, because nobody should guess what it stands for.
 */
export function toIntent(row: IntentRow): Intent {
  const problem = problemOf(row);
  if (problem !== null) throw unreadable(`the key ${JSON.stringify(row.idempotency_key)}: ${problem}`);
  return intentOf(row);
}

function problemOf({ state, version, amount, request, result, departed }: IntentRow): string | null {
  if (!intentStates.includes(state)) return `there is no state ${JSON.stringify(state)}`;
  if (!Number.isSafeInteger(version) || !Number.isSafeInteger(amount)) return 'its numbers are not whole';
  // Taken for 0, it would prove that no byte has left.
  if (departed !== 0 && departed !== 1) return 'it does not say whether its request has left';
  if (objectIn(request) === null) return 'its request is not JSON';
  return result === null || objectIn(result) !== null ? null : 'the record of the service is not JSON';
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const unreadable = (what: string) =>
  storageError(`the ledger cannot be read at ${what}`, {
    hint: 'It is damaged, or another version of pixctl wrote this: use the one that did, or restore the ledger from a backup. Never delete a ledger while the outcome of a withdrawal may be unknown.',
  });

const intentOf = (row: IntentRow): Intent => ({
  id: row.id,
  kind: row.kind,
  scope: row.scope as Scope,
  idempotencyKey: row.idempotency_key as IdempotencyKey,
  state: row.state,
  version: row.version,
  amount: row.amount as Cents,
  request: row.request,
  resourceId: row.resource_id,
  inferred: row.inferred === 1,
  result: row.result,
  reason: row.reason,
  owner:
    row.owner_host === null
      ? null
      : {
          host: row.owner_host,
          boot: row.owner_boot ?? '',
          pid: row.owner_pid ?? 0,
          started: row.owner_started ?? '',
        },
  fence: row.fence,
  departed: row.departed === 1,
  listedCount: row.listed,
  createdAt: row.created_at,
  sentAt: row.sent_at,
  updatedAt: row.updated_at,
});

const toRow = (intent: Intent): IntentRow => ({
  id: intent.id,
  kind: intent.kind,
  scope: intent.scope,
  idempotency_key: intent.idempotencyKey,
  state: intent.state,
  version: intent.version,
  amount: intent.amount,
  request: intent.request,
  resource_id: intent.resourceId,
  inferred: intent.inferred ? 1 : 0,
  result: intent.result,
  reason: intent.reason,
  owner_host: intent.owner?.host ?? null,
  owner_boot: intent.owner?.boot ?? null,
  owner_pid: intent.owner?.pid ?? null,
  owner_started: intent.owner?.started ?? null,
  fence: intent.fence,
  departed: intent.departed ? 1 : 0,
  listed: intent.listedCount,
  created_at: intent.createdAt,
  sent_at: intent.sentAt,
  updated_at: intent.updatedAt,
});

export type Statement = readonly [sql: string, parameters: readonly Value[]];

/** Throws `ConstraintError` if its key is taken. */
export function insertIntent(intent: Intent): Statement {
  const row = toRow(intent);
  const names = Object.keys(row);
  return [
    `INSERT INTO ledger_intents (${names.join(', ')}) VALUES (${placeholders(names.length)})`,
    Object.values(row) as Value[],
  ];
}

/** Writes `next` over the row if it still has the previous version; returns no row if somebody else was first. */
export function updateIntent(next: Intent): Statement {
  const row = toRow(next);
  const names = Object.keys(row).filter((name) => name !== 'id');
  return [
    `UPDATE ledger_intents SET ${names.map((name, at) => `${name} = $${at + 3}`).join(', ')}
     WHERE id = $1 AND version = $2 RETURNING id`,
    [row.id, row.version - 1, ...(names.map((name) => row[name as keyof IntentRow]) as Value[])],
  ];
}

export const insertEvent = (intent: Intent, event: NewEvent): Statement => [
  `INSERT INTO ledger_events (id, intent_id, version, at, state, what, details)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
  [
    event.id,
    intent.id,
    intent.version,
    event.at,
    intent.state,
    event.what,
    JSON.stringify(event.details ?? {}),
  ],
];

export interface EventRow {
  id: string;
  version: number;
  at: number;
  state: IntentState;
  what: string;
  details: string;
}

/** Throws `storage` (74) as `toIntent` does. */
export function toEvent(row: EventRow): IntentEvent {
  const details = objectIn(row.details);
  if (details === null) throw unreadable(`the event ${row.id}: its details are not JSON`);
  return {
    id: row.id,
    version: row.version,
    at: row.at,
    state: row.state,
    what: row.what,
    details,
  };
}
