/** What one check found. */
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
export const wrong = problem('wrong');

export const findingView: View<Finding> = {
  name: 'finding',
  columns: [
    { key: 'check', header: 'Check', value: ({ check }) => check },
    { key: 'state', header: 'State', kind: 'status', value: ({ state }) => state },
    { key: 'found', header: 'Found', kind: 'text', value: ({ found }) => found },
    { key: 'remedy', header: 'Remedy', kind: 'text', namesCommands: true, value: ({ remedy }) => remedy },
  ],
};
