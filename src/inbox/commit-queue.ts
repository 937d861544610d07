/**
 * Group commit: what is asked for in one turn of the event loop, or while the last commit is under way,
 * shares the next one. Nobody waits for a timer, and a lone caller commits at once.
 */
export function createCommitQueue<T, R>(
  /** Commits a batch; answers in the order given. */
  commit: (batch: readonly T[]) => Promise<readonly R[]>,
  { largest = 256 } = {},
): { push(item: T): Promise<R>; idle(): Promise<void> } {
  let waiting: { item: T; resolve: (answer: R) => void; reject: (cause: unknown) => void }[] = [];
  let running: Promise<void> | null = null;

  async function drain(): Promise<void> {
    // One turn later, so that every request whose bytes have already arrived is in the batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, largest);
      waiting = waiting.slice(largest);
      try {
        const answers = await commit(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(answers[index] as R);
        });
      } catch (cause) {
        for (const { reject } of batch) reject(cause);
      }
    }
    running = null;
  }

  return {
    push(item) {
      const answer = new Promise<R>((resolve, reject) => waiting.push({ item, resolve, reject }));
      running ??= drain();
      return answer;
    },
    async idle() {
      while (running !== null) await running;
    },
  };
}
