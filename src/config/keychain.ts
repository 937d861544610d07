/** The OS keychain through the optional @napi-rs/keyring. Never the kernel keyring: it forgets at a reboot. */
export interface Keychain {
  read(account: string): Promise<string | null>;
  write(account: string, secret: string): Promise<void>;
  delete(account: string): Promise<void>;
}

const service = 'pixctl';
const patienceMs = 3000;

/** The keychain, or null where it is turned off (PIXCTL_KEYCHAIN=off), not installed, or not there. */
export async function openKeychain(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Promise<Keychain | null> {
  if (environment.PIXCTL_KEYCHAIN === 'off') return null;
  // Without a session bus there is no Secret Service, and asking for one may start a daemon.
  if (platform === 'linux' && !environment.DBUS_SESSION_BUS_ADDRESS) return null;
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const entry = (account: string) =>
      new AsyncEntry(service, account, { linux: { store: 'secret-service' } });
    return {
      read: async (account) => (await inTime((signal) => entry(account).getPassword(signal))) ?? null,
      write: (account, secret) => inTime((signal) => entry(account).setPassword(secret, signal)),
      delete: async (account) => void (await inTime((signal) => entry(account).deletePassword(signal))),
    };
  } catch {
    return null;
  }
}

/** The abort only asks: a keychain that waits for its password window is left behind after three seconds. */
function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(patienceMs);
  return Promise.race([
    work(signal),
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('no answer within 3 seconds')), { once: true });
    }),
  ]);
}
