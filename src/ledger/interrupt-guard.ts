/**
 * Gives up a ledger whose server accepts connections but never answers, once the run is asked to stop: while it is
 * being opened, and while it is being read. From the first record of a send on, nothing is given up: an outcome still
 * has to be written.
 */
import type { Clock } from '../clock.ts';
import type { Database } from '../database/port.ts';
import { kindForSignal, PixctlError } from '../errors.ts';
import type { Ledger } from './ledger.ts';

/**
 * How long work under way may still go on after the request to stop, in milliseconds: if the server answers, the run
 * can still report what earlier runs did, which is worth a moment.
 */
const graceMs = 2_000;

export interface InterruptGuard {
  /** Aborts once the server is given up, with the reason of the run's own signal. */
  readonly signal: AbortSignal;
  /** Runs `work`. Throws 130 or 143 if it is given up, and at once from then on. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** From now on, nothing is given up. */
  disable(): void;
}

/** `stop`: aborts when the run is asked to stop; its reason is the signal's name. */
export function createInterruptGuard(stop: AbortSignal | undefined, clock: Clock): InterruptGuard {
  const givenUp = new AbortController();
  let endless = stop === undefined;
  const refuse = (cause?: unknown) => {
    if (givenUp.signal.aborted) throw gaveUp(givenUp.signal, cause);
  };
  return {
    signal: givenUp.signal,
    async run(work) {
      refuse();
      if (endless) return work();
      const done = new AbortController();
      const onStop = async () => {
        await clock.sleep(graceMs, done.signal);
        if (!done.signal.aborted && !endless) givenUp.abort(stop?.reason);
      };
      if (stop?.aborted) void onStop();
      else stop?.addEventListener('abort', onStop, { once: true });
      try {
        return await work();
      } catch (cause) {
        refuse(cause);
        throw cause;
      } finally {
        stop?.removeEventListener('abort', onStop);
        done.abort();
      }
    },
    disable() {
      endless = true;
    },
  };
}

/** A file answers, or says that it is busy, so only a server is ever given up. */
export function withInterruptGuard({ run }: InterruptGuard, database: Database): Database {
  if (database.dialect === 'sqlite') return database;
  return {
    ...database,
    query: (sql, parameters) => run(() => database.query(sql, parameters)),
    execute: (sql, parameters) => run(() => database.execute(sql, parameters)),
    transaction: (work) => run(() => database.transaction(work)),
    write: (work) => run(() => database.write(work)),
  };
}

/** Whether these writes took effect must become known, however long that takes. */
export const disableGuardOnWrite = ({ disable }: InterruptGuard, ledger: Ledger): Ledger => ({
  ...ledger,
  markSending(intent, sending, event) {
    disable();
    return ledger.markSending(intent, sending, event);
  },
  record(intent, change, event) {
    disable();
    return ledger.record(intent, change, event);
  },
});

/**
 * The error of a ledger that was given up: 130 or 143. It loses no outcome of a send, because nothing is given up any
 * more once a send is recorded.
 */
const gaveUp = ({ reason }: AbortSignal, cause: unknown): PixctlError =>
  new PixctlError(
    kindForSignal(reason),
    'INTERRUPTED',
    `Stopped by ${String(reason)} while the database of the ledger did not answer, so what earlier runs did was not looked up; nothing was sent in this run.`,
    { cause },
  );
