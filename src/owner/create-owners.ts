/**
 * Who sends, and whether it still runs: host, boot id, pid and the start time of the process. A pid is reused, and a
 * host name may be shared by machines and by containers, so neither is enough alone.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { kill, pid as ownPid, platform } from 'node:process';
import type { Owner, Owners } from './owner.ts';

/** What the operating system reports; a test passes its own. */
export interface System {
  /** Name of the host, with what distinguishes its machine and its pid namespace from others of that name. */
  host(): Promise<string>;
  /** Changes with each start of the machine; empty where the system has no such thing. */
  boot(): Promise<string>;
  /** Start time of a process in the system's own words; null when there is no such process. */
  started(pid: number): Promise<string | null>;
}

/** The owners as seen from this process. */
export async function createOwners(system: System = realSystem, pid: number = ownPid): Promise<Owners> {
  const [host, boot, started] = await Promise.all([system.host(), system.boot(), system.started(pid)]);
  const self: Owner = { host, boot, pid, started: started ?? '' };
  return {
    self,
    uptime: () => uptime() * 1000,
    async liveness(owner) {
      if (owner.host !== host) return 'elsewhere';
      if (owner.boot !== boot) return 'gone';
      const found = await system.started(owner.pid);
      if (found === null) return 'gone';
      if (owner.started === '' || found === '') return 'unsure';
      return found === owner.started ? 'alive' : 'gone';
    },
  };
}

/**
 * The system for what is held for milliseconds: it distinguishes machines by their start instead of by the digest of
 * their id, which would load `node:crypto`. An owner from before a restart of the machine is then `elsewhere`.
 */
export const createLightSystem = (): System => ({
  ...realSystem,
  host: async () =>
    [hostname(), await realSystem.boot(), pidNamespace()].filter((part) => part !== '').join(' '),
});

/** Synchronous: the kernel answers these at once, and a detour through the thread pool would take longer. */
const realSystem: System = {
  async host() {
    const machine = readOrEmpty(() => fingerprint(readFileSync('/etc/machine-id', 'utf8')));
    return [hostname(), machine, pidNamespace()].filter((part) => part !== '').join(' ');
  },
  async boot() {
    return readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  },
  async started(pid) {
    try {
      return startTicks(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return isPidInUse(pid) ? startedByPs(pid) : null;
    }
  },
};

const pidNamespace = (): string => readOrEmpty(() => readlinkSync('/proc/self/ns/pid'));

/** What `ask` returns; empty where the system has no such thing. */
function readOrEmpty(ask: () => string): string {
  try {
    return ask();
  } catch {
    return '';
  }
}

/** A digest, because the machine's id itself is confidential (machine-id(5)). */
const fingerprint = (machineId: string): string =>
  createHash('sha256').update(`pixctl ${machineId.trim()}`).digest('hex').slice(0, 12);

/**
 * Field 22 of `/proc/<pid>/stat`, after field 2, a name that may hold blanks and parentheses. Null for a zombie: it no
 * longer runs, only its parent has not looked yet.
 */
export function startTicks(stat: string): string | null {
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? null : (fields[18] ?? '');
}

/** Whether a pid of this host is in use now. */
function isPidInUse(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch (cause) {
    // It exists, and is another user's.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The start time on macOS and the BSDs; empty (not to be compared) where there is no `ps`. */
async function startedByPs(pid: number): Promise<string> {
  // Windows would run a `ps` that lies in the working directory, and that is not the system's.
  if (platform === 'win32') return '';
  // Loaded here, because Linux needs no child for it.
  const { execFile } = await import('node:child_process');
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], { env }, (error, stdout) =>
      resolve(error === null ? stdout.trim() : ''),
    );
  });
}
