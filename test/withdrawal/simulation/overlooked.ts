/**
 * The keys that may stand as refused though the service made their withdrawal, which the list did not show in time
 * (docs/withdrawal-promise.md, "A refusal"): only a CONFLICT is read for until it must show, as long as nothing else
 * explains it and the list can be read. They must not be paid again all the same.
 */
import type { Process } from './world.ts';

export class Overlooked {
  readonly #keys = new Set<string>();
  /** What each reader of the list was refused by a CONFLICT that nothing in the list explains yet. */
  readonly #watched = new Map<Process, string>();

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  refused(process: Process, key: string, code: unknown): void {
    if (code === 'CONFLICT') this.#watched.set(process, key);
    else this.#keys.add(key);
  }

  /** Before it must show. */
  stopsLooking(process: Process): void {
    const key = this.#watched.get(process);
    if (key !== undefined) this.#keys.add(key);
  }

  /** A list that it has read whole shows what was not there before the send. */
  showed(process: Process, truths: readonly string[]): void {
    const key = this.#watched.get(process);
    if (truths.some((truth) => truth !== key)) this.stopsLooking(process);
  }
}
