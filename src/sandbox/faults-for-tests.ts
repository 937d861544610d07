/** Warns the process of a test about event names that may be misspelt: a fault on one would never fire. */
import { warnOfUnknownEvents } from '../flags/event-name.ts';
import type { Fault, Faults } from './faults/faults.ts';

/** Returns the same faults, but warns about names that the document does not show. */
export const faultsForTests = (faults: Faults): Pick<Faults, 'add' | 'preset' | 'list' | 'clear'> => ({
  add: (rule) => withWarnings([faults.add(rule)] as const)[0],
  preset: (name, over) => withWarnings(faults.preset(name, over)),
  list: faults.list,
  clear: faults.clear,
});

/** Returns what was given, after a `PixctlWarning` for each such name in it. */
export function withWarnings<T extends readonly Fault[]>(made: T): T {
  const names = new Set(made.flatMap(({ rule }) => (rule.target === 'delivery' ? (rule.events ?? []) : [])));
  warnOfUnknownEvents(names, (doubt) => process.emitWarning(doubt, 'PixctlWarning'));
  return made;
}
