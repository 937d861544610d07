/** Who sends, and whether it still runs: host, boot id, pid and the start time of the process. */
import type { Owners } from './dependencies.ts';

/** The owners as this process sees them. */
export declare function systemOwners(): Promise<Owners>;
