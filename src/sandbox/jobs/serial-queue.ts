/** Does pieces of work one after another, with nothing else started in between. */
interface SerialQueue {
  /** Whether somebody has a turn or waits for one. */
  readonly isBusy: boolean;
  /** Does `work` after everything before it, whatever became of that. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the last turn taken so far is over. */
  whenIdle(): Promise<unknown>;
}

/** @param ended called after each turn */
export function createSerialQueue(ended: () => void): SerialQueue {
  let last: Promise<void> | null = null;
  return {
    get isBusy() {
      return last !== null;
    },
    async run(work) {
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
    whenIdle: () => last ?? Promise.resolve(),
  };
}
