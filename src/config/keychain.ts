/**
 * The OS keychain through the optional @napi-rs/keyring. Never the kernel keyring, which forgets at a reboot. A child
 * process makes the calls: they block the thread, and a session bus that does not answer would block it for good, but a
 * child can be ended after three seconds.
 */
import { getBuiltinModule } from 'node:process';
import { configError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';

export interface Keychain {
  read(account: string): Promise<string | null>;
  write(account: string, secret: string): Promise<void>;
  delete(account: string): Promise<void>;
}

interface KeychainSources {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** The Node that runs the child; without one there is no keychain. The single executable is no such Node. */
  readonly node?: string | null | undefined;
}

const patienceMs = 3000;

/** Why there is no keychain here, worded to follow "the keychain is not used: ". */
export interface NoKeychain {
  readonly absent: string;
}

export const turnedOff: NoKeychain = { absent: 'it is turned off' };

/**
 * Returns the keychain, or why there is none: turned off (PIXCTL_KEYCHAIN=off), no Node, no session bus, no library.
 * Throws `configError` (78) for any word but on or off: a secret must not go where it was perhaps meant not to go.
 */
export function openKeychain({ environment, platform, node }: KeychainSources): Keychain | NoKeychain {
  const setting = environment.PIXCTL_KEYCHAIN;
  if (setting === 'off') return turnedOff;
  if (setting !== undefined && setting !== '' && setting !== 'on')
    throw configError(
      'BAD_KEYCHAIN',
      `PIXCTL_KEYCHAIN takes on or off, not ${JSON.stringify(setting)}. Nothing was sent.`,
      'PIXCTL_KEYCHAIN=off stores secrets in a file (mode 0600).',
    );
  if (!node) return { absent: 'the single executable cannot use it, only the npm package can' };
  if (platform === 'linux' && !environment.DBUS_SESSION_BUS_ADDRESS)
    return { absent: 'there is no session bus (DBUS_SESSION_BUS_ADDRESS)' };
  const library = locate();
  if (library === undefined) return { absent: 'the package @napi-rs/keyring is not installed' };
  const ask = (request: Request) => askChild(node, library, childEnvironment(environment), request);
  return {
    read: (account) => ask({ act: 'read', account }),
    write: async (account, secret) => void (await ask({ act: 'write', account, secret })),
    delete: async (account) => void (await ask({ act: 'delete', account })),
  };
}

type Request =
  | { act: 'read' | 'delete'; account: string }
  | { act: 'write'; account: string; secret: string };

/** Run by `node -e`. The request, with the secret, comes through stdin: not through argv, nor the environment. */
const program = `
const { argv, stdin, stdout } = require('node:process');
const { Entry } = require(argv[1]);
let text = '';
stdin.on('data', (chunk) => { text += chunk; }).on('end', () => {
  const { act, account, secret } = JSON.parse(text);
  let answer;
  try {
    const entry = new Entry('pixctl', account, { linux: { store: 'secret-service' } });
    if (act === 'write') { entry.setPassword(secret); answer = { value: null }; }
    else if (act === 'delete') { entry.deletePassword(); answer = { value: null }; }
    else answer = { value: entry.getPassword() ?? null };
  } catch (error) { answer = { error: String(error && error.message || error) }; }
  stdout.end(JSON.stringify(answer));
});`;

async function askChild(
  node: string,
  library: string,
  env: Environment,
  request: Request,
): Promise<string | null> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn(node, ['-e', program, library], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    child.on('error', reject);
    // If no more files can be opened, there are no streams.
    if (child.pid === undefined) return;
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(request));
    child.on('close', (_code, signal) => {
      if (signal !== null) return reject(new Error(`no answer within ${patienceMs / 1000} seconds`));
      const answer = parseAnswer(text);
      if (answer.error !== undefined) return reject(new Error(answer.error));
      resolve(answer.value ?? null);
    });
  });
}

function parseAnswer(text: string): { value?: string | null; error?: string } {
  try {
    return JSON.parse(text) as { value?: string | null; error?: string };
  } catch {
    return { error: 'the keychain library failed' };
  }
}

function locate(): string | undefined {
  try {
    return getBuiltinModule('node:module')
      .createRequire(import.meta.url)
      .resolve('@napi-rs/keyring');
  } catch {
    return undefined;
  }
}

/** The environment of the user's session, without our own secrets and without what would change how Node runs. */
const childEnvironment = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(PIXCTL_|NODE_)/.test(name)));
