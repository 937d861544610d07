/** Finds a record by its id, which may turn out to be another merchant's (assumption `foreign-record`). */
import type { Context } from './handler.ts';
import { assumedRefusal, Refusal } from './refusal.ts';

const existsSql = {
  charge: 'SELECT 1 FROM charges WHERE id = ?',
  customer: 'SELECT 1 FROM customers WHERE id = ? AND deleted_at IS NULL',
  withdrawal: 'SELECT 1 FROM withdrawals WHERE id = ?',
  'webhook endpoint': 'SELECT 1 FROM endpoints WHERE id = ?',
} as const;

/**
 * Returns what `find` finds among the caller's own. Throws its `Refusal`, or the one assumed for another merchant's
 * record.
 */
export function findOwnRecord<T>(
  { world, assume }: Context,
  what: keyof typeof existsSql,
  id: string,
  find: () => T,
): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof Refusal) || world.store.get(existsSql[what], id) === undefined) throw error;
    const choice = assume('foreign-record');
    if (choice === '404:NOT_FOUND') throw error;
    throw assumedRefusal(choice, `${what} ${id} belongs to another merchant`);
  }
}
