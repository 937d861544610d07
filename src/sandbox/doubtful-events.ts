/** Warns a test in this process about event names that may be misspelt: a fault on one would never fire. */
import { warnOfDoubts } from '../flags/event-name.ts';
import type { Fault, Faults } from './faults/faults.ts';

/** Returns the same faults, but warns the process (`PixctlWarning`) about names that the document does not show. */
export function faultsForTests(faults: Faults): Pick<Faults, 'add' | 'preset' | 'list' | 'clear'> {
  const told = <T extends readonly Fault[]>(made: T): T => {
    const names = new Set(
      made.flatMap(({ rule }) => (rule.target === 'delivery' ? (rule.events ?? []) : [])),
    );
    warnOfDoubts(names, (doubt) => process.emitWarning(doubt, 'PixctlWarning'));
    return made;
  };
  return {
    add: (rule) => told([faults.add(rule)] as const)[0],
    preset: (name, over) => told(faults.preset(name, over)),
    list: faults.list,
    clear: faults.clear,
  };
}
