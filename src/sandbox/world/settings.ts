/** How a sandbox was started: what it does where the document is silent, and how withdrawals proceed. */
import type { AssumptionId } from '../../contract/assumptions.ts';

export const undocumentedModes = ['assume', 'error', 'random'] as const;
export type UndocumentedMode = (typeof undocumentedModes)[number];

export const progressions = ['immediate', 'timed', 'manual'] as const;
export type Progression = (typeof progressions)[number];

export interface Settings {
  /** `assume`: the default of each open point; `error`: answers that rest on one fail; `random`: drawn per run. */
  readonly undocumented: UndocumentedMode;
  /** Behaviours chosen by name. They take precedence over `undocumented`. */
  readonly assume: Readonly<Partial<Record<AssumptionId, string>>>;
  /** How a withdrawal gets from PENDING to PROCESSING and to its end. */
  readonly withdrawals: Progression;
  /** Milliseconds between two steps of a timed withdrawal. */
  readonly withdrawalStepMs: number;
  /** Makes ids and drawn behaviours the same in each run, 1000 characters at most. Null for random ones. */
  readonly seed: string | null;
}

export const defaultSettings: Settings = {
  undocumented: 'assume',
  assume: {},
  withdrawals: 'timed',
  withdrawalStepMs: 2_000,
  seed: null,
};
