/**
 * How deeply JSON is nested. `JSON.parse` accepts any depth, but code that then walks the value recursively, or
 * writes it indented, may not return. The JSON may come from a stranger.
 */

/** Whether no value is nested within more than `limit` arrays and objects. */
export function isShallow(value: unknown, limit = 100): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return true;
  }
  return false;
}
