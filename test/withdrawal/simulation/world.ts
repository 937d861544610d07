/**
 * Time and processes of one run. A process is an async function that gives way at each `turn`; the world
 * resumes one at a time, in an order that the seed decides, and may kill or suspend it instead. Nothing
 * else ever runs in between, so that a run is a function of its seed.
 */
import type { Clock } from '../../../src/clock.ts';
import type { Random } from './random.ts';

export interface Process {
  readonly name: string;
  readonly host: number;
  readonly pid: number;
  alive: boolean;
  begun: boolean;
  /** Chance of a kill, and of a suspension, at each turn. */
  readonly killRate: number;
  readonly suspendRate: number;
}

interface Waiting {
  readonly process: Process | null;
  readonly what: string;
  readonly resume: () => void;
  wakeAt: number;
}

export class World {
  /** Milliseconds; also every process's monotonic clock. */
  time = 1_000_000;
  readonly random: Random;
  readonly trace: string[] | null;
  /** What each host's wall clock is off by, milliseconds. */
  readonly wallOffset = [0, 0];
  faults = true;
  /** For how long a process may be suspended, milliseconds. */
  suspensions: readonly number[] = [4_000, 8_000, 60_000, 600_000, 600_000];
  /** How often the machine was started. */
  boot = 1;
  #waiting: Waiting[] = [];
  #gaveWay: () => void = () => {};
  #pids = 100;

  constructor(random: Random, trace: string[] | null) {
    this.random = random;
    this.trace = trace;
  }

  log(process: Process | null, what: string): void {
    this.trace?.push(`${String(this.time).padStart(9)} ${process?.name ?? '-'} ${what}`);
  }

  /** Starts a process at a time; `body` runs until it ends or is killed. */
  spawn(
    options: { name: string; host: number; at: number; killRate: number; suspendRate: number },
    body: (process: Process) => Promise<void>,
  ): Process {
    const process: Process = { ...options, pid: ++this.#pids, alive: true, begun: false };
    const begin = () => {
      process.begun = true;
      void body(process)
        .catch((cause) => {
          this.crash ??= cause;
        })
        .finally(() => {
          process.alive = false;
          this.log(process, 'ends');
          this.#gaveWay();
        });
    };
    this.#waiting.push({ process, what: 'start', resume: begin, wakeAt: options.at });
    return process;
  }

  /** What a process threw: the protocol promises not to. */
  crash: unknown;

  /** Gives way; resumes when the world says so, at the earliest after `ms`. */
  turn(process: Process, what: string, ms = 0): Promise<void> {
    return new Promise((resume) => {
      this.#waiting.push({ process, what, resume, wakeAt: this.time + ms });
      this.#gaveWay();
    });
  }

  /** Something that happens whatever becomes of the process that caused it. */
  schedule(ms: number, what: string, work: () => void): void {
    const resume = () => {
      work();
      this.#gaveWay();
    };
    this.#waiting.push({ process: null, what, resume, wakeAt: this.time + ms });
  }

  /** Ends every process that has begun, and starts the machine again. */
  cutPower(): void {
    this.boot++;
    for (const { process } of this.#waiting) if (process?.begun) process.alive = false;
    this.#waiting = this.#waiting.filter(({ process }) => process === null || process.alive);
  }

  clock(process: Process): Clock {
    return {
      now: () => 1_790_000_000_000 + this.time + (this.wallOffset[process.host] ?? 0),
      monotonic: () => this.time,
      sleep: (ms, signal) => (signal?.aborted ? Promise.resolve() : this.turn(process, `sleep ${ms}`, ms)),
    };
  }

  /** Runs until nobody waits. */
  async run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const next = this.#choose();
      if (next === null) continue;
      const gaveWay = new Promise<void>((resolve) => {
        this.#gaveWay = resolve;
      });
      next.resume();
      await gaveWay;
      if (this.crash !== undefined) throw this.crash;
    }
  }

  #choose(): Waiting | null {
    let first = Number.POSITIVE_INFINITY;
    for (const { wakeAt } of this.#waiting) if (wakeAt < first) first = wakeAt;
    if (first > this.time) this.time = first;
    const ready: number[] = [];
    this.#waiting.forEach(({ wakeAt }, at) => {
      if (wakeAt <= this.time) ready.push(at);
    });
    const at = this.random.pick(ready);
    const [chosen] = this.#waiting.splice(at, 1);
    if (chosen === undefined) return null;
    this.time += this.random.int(0, 20);
    return this.#harm(chosen) ? null : chosen;
  }

  /** Kills or suspends the chosen process instead of resuming it. */
  #harm(chosen: Waiting): boolean {
    const { process } = chosen;
    if (process === null || !this.faults) return false;
    if (this.random.chance(process.killRate)) {
      process.alive = false;
      this.log(process, `killed at ${chosen.what}`);
      return true;
    }
    // Between the last check and the write lies no await: a kill can fall there, a suspension of minutes is
    // beyond any check (docs/withdrawals.md).
    if (chosen.what !== 'departing' && this.random.chance(process.suspendRate)) {
      const ms = this.random.pick(this.suspensions);
      chosen.wakeAt = this.time + ms;
      this.#waiting.push(chosen);
      this.log(process, `suspended ${ms} at ${chosen.what}`);
      return true;
    }
    this.log(process, chosen.what);
    return false;
  }
}
