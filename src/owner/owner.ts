/** Who does a thing, as others can tell later: one process of one host. */

export interface Owner {
  readonly host: string;
  /** Changes with each start of the machine. */
  readonly boot: string;
  readonly pid: number;
  /** Start time of the process as its system tells it: a pid is reused, the pair is not. */
  readonly started: string;
}

export interface Owners {
  /** This process. */
  readonly self: Owner;
  /** Milliseconds since the machine was started, sleep included: no setting of the clock changes it. */
  uptime(): number;
  /**
   * Whether an owner still runs; `elsewhere` when only its own host could tell, `unsure` when its pid is in use and
   * nothing tells by whom (Windows tells no start times).
   */
  liveness(owner: Owner): Promise<'alive' | 'gone' | 'elsewhere' | 'unsure'>;
}
