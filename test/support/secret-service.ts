/** A real Secret Service (gnome-keyring) on a session bus of its own, in a temporary directory. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const program = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(':')
    .map((directory) => join(directory, name))
    .find(existsSync);

const [bus, keyring, send] = ['dbus-daemon', 'gnome-keyring-daemon', 'dbus-send'].map(program);

/** Why there is none, for a visible skip; null when there can be one. */
export const secretServiceMissing: string | null =
  process.platform !== 'linux'
    ? 'not Linux'
    : bus === undefined || keyring === undefined || send === undefined
      ? 'no dbus-daemon, dbus-send and gnome-keyring-daemon on this machine'
      : null;

export interface SecretService {
  /** For a run that is to use it. */
  readonly environment: Record<string, string>;
  lock(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSecretService(): Promise<SecretService> {
  if (bus === undefined || keyring === undefined || send === undefined)
    throw new Error(String(secretServiceMissing));
  const home = mkdtempSync(join(tmpdir(), 'pixctl-keyring-'));
  mkdirSync(join(home, 'run'), { mode: 0o700 });
  const config = join(home, 'bus.conf');
  // Without directories of services the bus starts nothing by itself: no second keyring, and no question on a screen.
  const policy = '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>';
  writeFileSync(
    config,
    `<busconfig><type>session</type><listen>unix:path=${home}/bus</listen><policy context="default">${policy}</policy></busconfig>`,
  );
  const environment = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${home}/bus`, PIXCTL_KEYCHAIN: 'on' };
  const env = { ...environment, PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: join(home, 'run') };
  const children: ChildProcess[] = [];
  const stop = async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  };
  const ask = async (to: string, path: string, ...words: string[]) => {
    const message = ['--session', '--print-reply', `--dest=${to}`, path, ...words];
    const { stdout } = await execute(send, message, { env, timeout: 5000 });
    return stdout;
  };
  try {
    const daemon = spawn(bus, [`--config-file=${config}`, '--nofork', '--print-address'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(daemon);
    await once(daemon.stdout, 'data');
    const service = spawn(keyring, ['--foreground', '--unlock', '--components=secrets'], {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    children.push(service);
    service.stdin.end('password');
    const bound = AbortSignal.timeout(15_000);
    const owned = ['org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets'];
    while (!(await ask('org.freedesktop.DBus', '/org/freedesktop/DBus', ...owned)).includes('true')) {
      if (service.exitCode !== null) throw new Error('gnome-keyring-daemon has ended');
      bound.throwIfAborted();
    }
  } catch (cause) {
    await stop();
    throw cause;
  }
  const collection = '/org/freedesktop/secrets/collection/login';
  return {
    environment,
    lock: async () => {
      const lock = ['org.freedesktop.Secret.Service.Lock', `array:objpath:${collection}`];
      await ask('org.freedesktop.secrets', '/org/freedesktop/secrets', ...lock);
    },
    stop,
  };
}
