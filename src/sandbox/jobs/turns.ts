/** Does pieces of work one after another, with nothing else started in between. */
export interface Turns {
  /** Whether somebody has a turn or waits for one. */
  readonly taken: boolean;
  /** Does `work` after everything before it, whatever became of that. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the last turn taken so far is over. */
  over(): Promise<unknown>;
}

/** @param ended called after each turn */
export function oneAfterAnother(ended: () => void): Turns {
  let last: Promise<void> | null = null;
  return {
    get taken() {
      return last !== null;
    },
    async take(work) {
      const turn = (last ?? Promise.resolve()).then(work);
      const over = turn.then(
        () => {},
        () => {},
      );
      last = over;
      try {
        return await turn;
      } finally {
        if (last === over) last = null;
        ended();
      }
    },
    over: () => last ?? Promise.resolve(),
  };
}
