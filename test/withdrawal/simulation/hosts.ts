/** The machines of a run, and what each of their processes is handed. */
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Owner } from '../../../src/owner/owner.ts';
import type { Dependencies } from '../../../src/withdrawal/dependencies.ts';
import { ledgerSeenBy } from './faulty-ledger.ts';
import type { ServiceModel } from './service-model.ts';
import type { Process, World } from './world.ts';

interface HostsOptions {
  /** Begins each id that a process makes. */
  readonly name: string;
  /** Of the machine and of its processes: Windows tells neither. */
  readonly tellsStarts: boolean;
  /** Hosts that share a ledger which marks departures are containers of one machine, others machines apart. */
  readonly isOneMachine: boolean;
  /** Takes the last words of a process that could not write its outcome. */
  readonly rescued: (line: string) => void;
  /** Pids of senders that another process was told are gone, whether they were or not. */
  readonly heldGone: Set<number>;
}

export class Hosts {
  readonly #world: World;
  readonly #service: ServiceModel;
  readonly #ledger: Ledger;
  readonly #options: HostsOptions;
  readonly #processes = new Map<string, Process>();
  #ids = 0;

  constructor(world: World, service: ServiceModel, ledger: Ledger, options: HostsOptions) {
    this.#world = world;
    this.#service = service;
    this.#ledger = ledger;
    this.#options = options;
  }

  /** `key`: the truth behind what the process sends. */
  dependencies(process: Process, key: string): Dependencies {
    const world = this.#world;
    this.#processes.set(`host${process.host} ${process.pid}`, process);
    const stop = new AbortController();
    if (world.faults && world.random.chance(0.05))
      world.schedule(world.random.int(0, 500), `${process.name} is told to stop`, () => stop.abort('SIGINT'));
    return {
      ledger: ledgerSeenBy(process, world, this.#ledger),
      clock: world.clock(process),
      service: this.#service.seenBy(process, () => key),
      owners: {
        self: ownerOf(process, this.#boot(process)),
        uptime: () => world.time,
        liveness: async (owner) => this.#liveness(process, owner),
      },
      newId: () => `${this.#options.name}-${++this.#ids}`,
      logLastResort: this.#options.rescued,
      requestTimeoutMs: 30_000,
      signal: stop.signal,
    };
  }

  /** Whether a process can tell that an owner is of the same start of its machine. */
  tellsSameStart(process: Process, owner: Owner | null): boolean {
    return this.#options.tellsStarts && owner?.boot === this.#boot(process);
  }

  #boot({ host }: Process): string {
    const { tellsStarts, isOneMachine } = this.#options;
    if (!tellsStarts) return '';
    return isOneMachine ? `b${this.#world.boot}` : `b${this.#world.boot} of ${host}`;
  }

  #liveness(asking: Process, owner: Owner): 'alive' | 'gone' | 'elsewhere' | 'unsure' {
    const { faults, random } = this.#world;
    if (owner.host !== `host${asking.host}`) return 'elsewhere';
    // A pid namespace that is not seen, a start time read wrongly: no money may hang on it.
    if (faults && random.chance(0.03)) {
      this.#options.heldGone.add(owner.pid);
      return 'gone';
    }
    if (owner.boot !== this.#boot(asking)) return 'gone';
    const isRunning = this.#processes.get(`${owner.host} ${owner.pid}`)?.alive === true;
    if (this.#options.tellsStarts) return isRunning ? 'alive' : 'gone';
    // Another program may have the pid of one that has ended.
    return isRunning || random.chance(0.5) ? 'unsure' : 'gone';
  }
}

const ownerOf = (process: Process, boot: string): Owner => ({
  host: `host${process.host}`,
  boot,
  pid: process.pid,
  started: String(process.pid),
});
