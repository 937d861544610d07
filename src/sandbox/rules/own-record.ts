/** A record that is asked for by its id, and may be another merchant's (assumption `foreign-record`). */
import type { Context } from './handler.ts';
import { assumedRefusal, Refusal } from './refusal.ts';

const anyones = {
  charge: 'SELECT 1 FROM charges WHERE id = ?',
  customer: 'SELECT 1 FROM customers WHERE id = ? AND deleted_at IS NULL',
  withdrawal: 'SELECT 1 FROM withdrawals WHERE id = ?',
  'webhook endpoint': 'SELECT 1 FROM endpoints WHERE id = ?',
} as const;

/** What `find` finds among the asker's own. Throws `Refusal`: NOT_FOUND, or what is assumed of another merchant's. */
export function ownRecord<T>(
  { world, assume }: Context,
  what: keyof typeof anyones,
  id: string,
  find: () => T | undefined,
): T {
  try {
    const found = find();
    if (found !== undefined) return found;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  const absent = new Refusal('NOT_FOUND', `${what} ${id} does not exist`);
  if (world.store.get(anyones[what], id) === undefined) throw absent;
  const choice = assume('foreign-record');
  if (choice === '404:NOT_FOUND') throw absent;
  throw assumedRefusal(choice, `${what} ${id} belongs to another merchant`);
}
