/** Flags that were given and say nothing: mostly a variable that a shell did not set. */
import { usageError } from '../errors.ts';

/** Throws a usage error (64) for the first of them, by flag name, whose value is empty or blank. */
export function refuseEmpty(values: Readonly<Record<string, string | undefined>>): void {
  const [flag] = Object.entries(values).find(([, value]) => value?.trim() === '') ?? [];
  if (flag !== undefined)
    throw usageError(`${flag} is empty. Nothing was sent.`, 'Leave it out where it is not meant.');
}
