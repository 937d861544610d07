/** Who does a thing, in a form that others can check later: one process on one host. */

export interface Owner {
  readonly host: string;
  /** Changes with each start of the machine. */
  readonly boot: string;
  readonly pid: number;
  /** Start time of the process as its system reports it: a pid is reused, but not the pair. */
  readonly started: string;
}

export interface Owners {
  /** This process. */
  readonly self: Owner;
  /** Milliseconds since the machine was started, sleep included; setting the clock does not change it. */
  uptime(): number;
  /**
   * Whether an owner still runs; `elsewhere` if only its own host could tell, `unsure` if its pid is in use and there
   * is no way to tell by whom (Windows reports no start times).
   */
  liveness(owner: Owner): Promise<'alive' | 'gone' | 'elsewhere' | 'unsure'>;
}
