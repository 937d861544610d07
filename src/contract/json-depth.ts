/**
 * How deeply JSON is nested. `JSON.parse` takes any depth; whatever then walks the value by recursion, or
 * writes it indented, may not come back: a stranger may have sent it.
 */

/** True while no value lies within more than `limit` arrays and objects. */
export function isShallow(value: unknown, limit = 100): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return true;
  }
  return false;
}
