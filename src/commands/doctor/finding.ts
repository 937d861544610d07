/** What one check found. */
import { asSentence, removeNothingSent } from '../../errors.ts';
import type { Output } from '../../terminal/output.ts';
import type { View } from '../../terminal/view.ts';

export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'wrong';
  readonly found: string;
  /** What to do; null if nothing is wrong. */
  readonly remedy: string | null;
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found, remedy: null });
const problem =
  (state: 'warning' | 'wrong') =>
  (check: string, found: string, remedy: string): Finding => ({ check, state, found, remedy });
export const warning = problem('warning');
/** That nothing was sent is no part of what a check found: it only looks. */
export const wrong = (check: string, found: string, remedy: string): Finding =>
  problem('wrong')(check, removeNothingSent(found), remedy);

export const findingView: View<Finding> = {
  name: 'finding',
  columns: [
    { key: 'check', header: 'Check' },
    { key: 'state', header: 'State', kind: 'status' },
    { key: 'found', header: 'Found', kind: 'text' },
    { key: 'remedy', header: 'Remedy', kind: 'text', namesCommands: true },
  ],
};

/** For a terminal, where a fourth column would be a word or two wide. */
const remedyInFound: View<Finding> = {
  ...findingView,
  columns: findingView.columns.flatMap((column) => {
    if (column.key === 'remedy') return [];
    return column.key === 'found' ? [{ ...column, namesCommands: true }] : [column];
  }),
};

/** Shows what was found, each with its remedy: beside it, or on a terminal behind it. */
export const showFindings = (
  output: Output,
  found: readonly Finding[],
  onTerminal: boolean,
): Promise<number> =>
  onTerminal && output.options.format === 'table' && output.options.fields === null
    ? output.each(remedyInFound, found.map(withRemedy))
    : output.each(findingView, found);

const withRemedy = (it: Finding): Finding =>
  it.remedy === null ? it : { ...it, found: `${asSentence(it.found)} ${it.remedy}` };
