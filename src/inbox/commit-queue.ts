/**
 * Group commit: what is pushed in one turn of the event loop, or while the last commit is under way, shares the next
 * one. What is in no hurry waits a moment for company; nothing else waits for a timer.
 */
import type { Clock } from '../clock.ts';

export interface CommitQueue<T, R> {
  push(item: T, how?: { readonly urgent: boolean }): Promise<R>;
  /** Whether anything in a hurry has come that is in no commit yet. */
  hasUrgentItems(): boolean;
  /** Commits what is waiting, and resolves once it is committed. */
  drain(): Promise<void>;
}

interface CommitQueueOptions<T, R> {
  /** Commits a batch; returns the answers in the same order. */
  readonly commit: (batch: readonly T[]) => Promise<readonly R[]>;
  /** Awaited before a batch is gathered, which then includes what has come meanwhile. */
  readonly ready?: () => Promise<unknown>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly largest?: number;
}

/** How long an item in no hurry waits, and how many of them need not wait. */
const companyMs = 4;
const companyEnough = 8;
/** This many are worth a commit of their own. */
const many = 24;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (answer: R) => void;
  readonly reject: (cause: unknown) => void;
}

export function createCommitQueue<T, R>(options: CommitQueueOptions<T, R>): CommitQueue<T, R> {
  const { commit, ready, clock, largest = 256 } = options;
  let waiting: Waiting<T, R>[] = [];
  let deferred: Waiting<T, R>[] = [];
  let running: Promise<void> | null = null;
  let lingering = false;

  async function commitWaiting(): Promise<void> {
    while (waiting.length > 0) {
      await ready?.();
      // One turn later, so that the batch holds every request whose bytes have already arrived, including those that
      // came with the end of the last commit or flush. Many do not wait for that: the disk works on them while those of
      // the last flush are being answered.
      if (waiting.length < many) await new Promise((resolve) => setImmediate(resolve));
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

  const begin = () => {
    running ??= commitWaiting();
  };

  function promoteDeferred(): void {
    waiting.push(...deferred);
    deferred = [];
    if (waiting.length > 0) begin();
  }

  function scheduleDeferred(): void {
    if (lingering) return;
    lingering = true;
    void clock.sleep(companyMs).then(() => {
      lingering = false;
      promoteDeferred();
    });
  }

  return {
    push: (item, { urgent } = { urgent: true }) =>
      new Promise<R>((resolve, reject) => {
        (urgent ? waiting : deferred).push({ item, resolve, reject });
        if (urgent) begin();
        else if (deferred.length >= companyEnough) promoteDeferred();
        else scheduleDeferred();
      }),
    hasUrgentItems: () => waiting.length > 0,
    async drain() {
      promoteDeferred();
      while (running !== null) await running;
    },
  };
}
