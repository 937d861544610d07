/** API keys of sandbox merchants. Their form shows what they are, so that the client never sends one elsewhere. */
import { sandboxKeyPrefix } from '../../contract/sandbox-key.ts';
import { configError } from '../../errors.ts';
import type { Store } from '../store/store.ts';
import { createCachePerStore } from '../store/store-cache.ts';
import { hasSeededKey, noteSeededKey } from '../world/seeded-keys.ts';
import type { World } from '../world/world.ts';
import { Refusal } from './refusal.ts';

export interface ApiKey {
  readonly key: string;
  readonly merchantId: string;
  /** Milliseconds on the sandbox's clock. */
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

const columns = 'key, merchant_id AS merchantId, created_at AS createdAt, revoked_at AS revokedAt';

export function newKey({ store, settings, ids, keyIds }: World): string {
  if (settings.seed !== null && keyIds === ids) noteSeededKey(store);
  return `${sandboxKeyPrefix}${keyIds.characters(32)}`;
}

/** Throws `configError` (78) if strangers, who can reach this sandbox, can work out its keys: a seed is a word. */
export function assertNoKeyFromSeed(store: Store): void {
  if (!hasSeededKey(store)) return;
  throw configError(
    'GUESSABLE_KEYS',
    'This state has API keys that follow from a seed: whoever guesses it can use them, and other machines could reach this sandbox. It was not started.',
    'Start it without --host, or give --host with another --state: its keys are drawn at random.',
  );
}

export function addKey(world: World, merchantId: string, key: string = newKey(world)): ApiKey {
  world.store.run('INSERT INTO api_keys VALUES (?, ?, ?, NULL)', key, merchantId, world.clock.now());
  return readKey(world, key);
}

/** Revokes a key. Revoking a revoked key changes nothing. Throws `Refusal` NOT_FOUND. */
export function revokeKey(world: World, key: string): ApiKey {
  const known = readKey(world, key);
  if (known.revokedAt !== null) return known;
  world.store.run('UPDATE api_keys SET revoked_at = ? WHERE key = ?', world.clock.now(), key);
  return readKey(world, key);
}

export const listKeys = (world: World, merchantId: string): ApiKey[] =>
  world.store.all<ApiKey>(
    `SELECT ${columns} FROM api_keys WHERE merchant_id = ? ORDER BY created_at, rowid`,
    merchantId,
  );

const ownerCache = createCachePerStore<string, string>(100);

/** Returns whose key it is; null if it is unknown or revoked. */
export function ownerOfKey({ store }: World, key: string): string | null {
  const known = ownerCache(store);
  const owner = known.get(key);
  if (owner !== undefined) return owner;
  const row = store.get<{ merchantId: string }>(
    'SELECT merchant_id AS merchantId FROM api_keys WHERE key = ? AND revoked_at IS NULL',
    key,
  );
  if (row === undefined) return null;
  known.set(key, row.merchantId);
  return row.merchantId;
}

function readKey(world: World, key: string): ApiKey {
  const known = world.store.get<ApiKey>(`SELECT ${columns} FROM api_keys WHERE key = ?`, key);
  if (known === undefined) throw new Refusal('NOT_FOUND', 'there is no such API key');
  return known;
}
