/** Profiles, keys and settings on real files. */
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { withFileLock } from '../../src/config/lock.ts';
import { openConfig } from '../../src/config/open-config.ts';
import type { PixctlError } from '../../src/errors.ts';
import type { Globals } from '../../src/flags/globals.ts';
import { onWindows } from '../support/platform.ts';
import { emptyHome, placesIn } from '../support/run.ts';
import { syncs } from '../support/syncs.ts';

const uid = process.geteuid?.();
const production = 'https://api.example.com';

function open(home: string, environment: Record<string, string | undefined> = {}, globals: Globals = {}) {
  return openConfig({
    environment: {
      HOME: home,
      ...(isAbsolute(home) && placesIn(home)),
      PIXCTL_KEYCHAIN: 'off',
      ...environment,
    },
    globals,
    platform: process.platform,
    uid,
  });
}

/** A home with the profiles acme (current) and other. */
async function twoProfiles(): Promise<string> {
  const home = emptyHome();
  const config = await open(home);
  await config.save({ name: 'acme', baseUrl: production, merchant: 'acme-label' }, 'svc_acme');
  await config.save(
    { name: 'other', baseUrl: 'https://other.example.com/v1/', merchant: 'other' },
    'svc_other',
  );
  return home;
}

const resolved = async (home: string, environment = {}, globals: Globals = {}) => {
  const config = await open(home, environment, globals);
  const { name, baseUrl, merchant, keySource } = config.profile();
  return { name, baseUrl, merchant, keySource, key: await config.apiKey() };
};

describe('which profile', () => {
  it('has no key for a run that saw it under another merchant or address', async () => {
    const home = await twoProfiles();
    const config = await open(home);
    expect(config.profile().merchant).toBe('acme-label');
    await (await open(home)).save(
      { name: 'acme', baseUrl: production, merchant: 'acme-label' },
      'svc_renewed',
    );
    expect(await config.apiKey()).toBe('svc_renewed');
    const moved = { name: 'acme', baseUrl: `${production}/v2`, merchant: 'acme-label' };
    await (await open(home)).save(moved, 'svc_renewed');
    await expect(config.apiKey()).rejects.toMatchObject({ kind: 'config', code: 'PROFILE_CHANGED' });
    await (await open(home)).save({ name: 'acme', baseUrl: production, merchant: 'beta' }, 'svc_beta');
    await expect(config.apiKey()).rejects.toMatchObject({ kind: 'config', code: 'PROFILE_CHANGED' });
  });

  it('is settled at the first look of a run: another process may use another one meanwhile', async () => {
    const home = await twoProfiles();
    const config = await open(home);
    expect(config.profile().name).toBe('acme');
    await (await open(home)).use('other');
    expect([config.profile().merchant, await config.apiKey()]).toEqual(['acme-label', 'svc_acme']);
    await config.writeSecret('webhook:wh_1', 'whsec_one');
    await config.set('timeout', '10s');
    expect(config.profile().name).toBe('acme');
    await config.use('other');
    expect([config.profile().merchant, await config.apiKey()]).toEqual(['other', 'svc_other']);
    await config.save({ name: 'other', baseUrl: production, merchant: 'third' }, 'svc_third');
    expect([config.profile().merchant, await config.apiKey()]).toEqual(['third', 'svc_third']);
  });

  it('is the one that is saved as such, in the step that saves it: a kill in between would leave another merchant', async () => {
    const home = await twoProfiles();
    const third = { name: 'third', baseUrl: production, merchant: 'third' };
    await (await open(home)).save(third, 'svc_third', { current: true });
    expect((await open(home)).currentName()).toBe('third');
    const fourth = { name: 'fourth', baseUrl: production, merchant: 'fourth' };
    await (await open(home)).save(fourth, 'svc_fourth');
    expect((await open(home)).currentName()).toBe('third');
  });

  it('is the first one that was saved, until another is used', async () => {
    const home = await twoProfiles();
    expect((await resolved(home)).name).toBe('acme');
    await (await open(home)).use('other');
    expect(await resolved(home)).toEqual({
      name: 'other',
      baseUrl: 'https://other.example.com/v1',
      merchant: 'other',
      keySource: 'file',
      key: 'svc_other',
    });
  });

  it('is the flag before the environment before the current one', async () => {
    const home = await twoProfiles();
    expect((await resolved(home, { PIXCTL_PROFILE: 'other' })).name).toBe('other');
    expect((await resolved(home, { PIXCTL_PROFILE: 'other' }, { profile: 'acme' })).name).toBe('acme');
  });

  it('is refused by name when there is none, also where the environment has an address', async () => {
    const home = await twoProfiles();
    const env = { PIXCTL_BASE_URL: production, PIXCTL_API_KEY: 'svc_env' };
    await expect(resolved(home, env, { profile: 'acne' })).rejects.toMatchObject({
      kind: 'config',
      message: expect.stringContaining('did you mean "acme"?'),
    });
    await expect(resolved(home, { PIXCTL_PROFILE: 'nobody' })).rejects.toMatchObject({
      code: 'UNKNOWN_PROFILE',
      message: 'PIXCTL_PROFILE: There is no profile "nobody". Nothing was sent.',
      hint: 'Profiles: acme, other. pixctl login --profile nobody creates this one.',
    });
  });

  it('is refused where a variable misspells it beside the address of a profile: the ledger would know none of its keys', async () => {
    const home = await twoProfiles();
    const env = { PIXCTL_BASE_URL: production, PIXCTL_API_KEY: 'svc_env', PIXCTL_PROFILE: 'acne' };
    await expect(resolved(home, env)).rejects.toMatchObject({
      kind: 'config',
      code: 'UNKNOWN_PROFILE',
      message: 'PIXCTL_PROFILE: There is no profile "acne"; did you mean "acme"? Nothing was sent.',
      hint: 'Profiles with this address: acme. PIXCTL_MERCHANT names a merchant that has no profile.',
    });
    // A profile with another address is not meant, however alike its name.
    await expect(resolved(home, { ...env, PIXCTL_PROFILE: 'othr' })).rejects.toMatchObject({
      message: 'PIXCTL_PROFILE: There is no profile "othr". Nothing was sent.',
    });
    expect(await resolved(home, { ...env, PIXCTL_MERCHANT: 'bakery' })).toMatchObject({ merchant: 'bakery' });
    expect(await resolved(home, { ...env, PIXCTL_BASE_URL: 'https://env.example.com' })).toMatchObject({
      merchant: 'acne',
    });
  });

  it('is not said to be made by login where login refuses its name', async () => {
    await expect(resolved(await twoProfiles(), {}, { profile: "Ana's shop" })).rejects.toMatchObject({
      code: 'UNKNOWN_PROFILE',
      hint: 'Profiles: acme, other. pixctl login --profile <name> creates another.',
    });
  });

  it('is taken whole when a flag names it: the environment changes neither its address nor its key', async () => {
    const home = await twoProfiles();
    const env = { PIXCTL_BASE_URL: 'https://elsewhere.example.com', PIXCTL_API_KEY: 'svc_env' };
    expect(await resolved(home, env, { profile: 'acme' })).toMatchObject({
      baseUrl: production,
      key: 'svc_acme',
    });
  });
});

describe('address and key from the environment', () => {
  const environment = { PIXCTL_BASE_URL: 'https://env.example.com', PIXCTL_API_KEY: 'svc_env' };

  it.each([
    ['a URL', 'https://ana:hunter2@pay.example'],
    ['no URL, because of its port', 'https://ana:hunter2@pay.example:99999'],
    ['no URL, without its scheme', 'ana:hunter2@pay.example'],
  ])('are refused without a word of the password in the address where it is %s', async (_what, address) => {
    await expect(resolved(emptyHome(), { ...environment, PIXCTL_BASE_URL: address })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.not.stringContaining('hunter2'),
    });
  });

  it.each([
    [{ PIXCTL_BASE_URL: 'pay.example' }, /^PIXCTL_BASE_URL: The address "pay\.example" cannot be used: /],
    [{ PIXCTL_MERCHANT: 'my shop' }, /^PIXCTL_MERCHANT: "my shop" cannot be a merchant label: /],
    [{ PIXCTL_PROFILE: 'my shop' }, /^PIXCTL_PROFILE: "my shop" cannot be a merchant label: /],
    [{ PIXCTL_API_KEY: 'svc_a b' }, /^The key in PIXCTL_API_KEY has characters /],
  ])('are refused by the name of the variable: %j', async (wrong, message) => {
    await expect(resolved(emptyHome(), { ...environment, ...wrong })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(message),
    });
  });

  it('are enough alone', async () => {
    expect(await resolved(emptyHome(), environment)).toEqual({
      name: 'environment',
      baseUrl: 'https://env.example.com',
      merchant: 'default',
      keySource: 'environment',
      key: 'svc_env',
    });
  });

  it('are enough without HOME, and write nothing', async () => {
    const config = await openConfig({
      environment: { ...environment, PIXCTL_PROFILE: 'cron' },
      globals: {},
      platform: process.platform,
      uid,
    });
    expect(config.profile()).toMatchObject({ name: 'cron', merchant: 'cron' });
    expect(await config.apiKey()).toBe('svc_env');
  });

  it('go before a stored profile', async () => {
    const home = await twoProfiles();
    expect(await resolved(home, environment)).toMatchObject({ name: 'environment', key: 'svc_env' });
    expect(await resolved(home, { PIXCTL_API_KEY: 'svc_env' })).toMatchObject({
      name: 'acme',
      key: 'svc_env',
    });
  });

  it('keep the merchant label when the address is the current profile’s own', async () => {
    const home = await twoProfiles();
    expect(await resolved(home, { PIXCTL_BASE_URL: `${production}/` })).toMatchObject({
      name: 'acme',
      merchant: 'acme-label',
      key: 'svc_acme',
    });
  });

  it('let PIXCTL_MERCHANT name the ledger scope', async () => {
    expect(await resolved(emptyHome(), { ...environment, PIXCTL_MERCHANT: 'bakery' })).toMatchObject({
      merchant: 'bakery',
    });
  });

  it('take an empty variable for an unset one', async () => {
    const home = await twoProfiles();
    const empty = { PIXCTL_BASE_URL: '', PIXCTL_API_KEY: '', PIXCTL_API_KEY_FILE: '', PIXCTL_PROFILE: '' };
    expect(await resolved(home, empty)).toMatchObject({ name: 'acme', key: 'svc_acme' });
  });

  it('say what is missing', async () => {
    await expect(resolved(emptyHome())).rejects.toMatchObject({ code: 'NO_PROFILE', exit: 78 });
  });
});

describe('a stored key', () => {
  it.each([
    ['another host', 'https://evil.example.com'],
    ['another port', 'https://api.example.com:8443'],
    ['another scheme', 'http://127.0.0.1:80'],
    ['a host that begins alike', 'https://api.example.com.evil.example'],
  ])('never goes to %s', async (_title, address) => {
    const home = await twoProfiles();
    expect((await resolved(home, { PIXCTL_BASE_URL: address })).key).toBeNull();
    expect((await resolved(home, {}, { baseUrl: address })).key).toBeNull();
    expect((await resolved(home, {}, { baseUrl: address, profile: 'acme' })).key).toBeNull();
  });

  it('is lost with the address when a hand edits the settings file', async () => {
    const home = await twoProfiles();
    const { path } = await open(home);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('https://api.example.com"', 'https://evil.example.com"'),
    );
    expect(await resolved(home)).toMatchObject({ baseUrl: 'https://evil.example.com', key: null });
  });

  it('goes nowhere when a hand has written an address that login would refuse (78)', async () => {
    const home = await twoProfiles();
    const { path } = await open(home);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('https://api.example.com"', 'http://api.example.com"'),
    );
    const told = (await resolved(home).catch((error: unknown) => error)) as PixctlError;
    expect(told.exit).toBe(78);
    expect(told.message).toMatch(/^The profile acme: The address .* cannot be used/);
    expect(told.hint).toBe(
      'Give it another address: pixctl login --profile acme --base-url https://api.example.com',
    );
    const typed = resolved(home, { PIXCTL_BASE_URL: 'http://api.example.com' });
    await expect(typed).rejects.toMatchObject({ exit: 64 });
  });

  it('goes with the profile, and so does the key of an address that a profile leaves', async () => {
    const home = await twoProfiles();
    const config = await open(home);
    await config.remove('other');
    await config.save(
      { name: 'acme', baseUrl: 'https://new.example.com', merchant: 'acme-label' },
      'svc_new',
    );
    const secrets = readFileSync(join(config.directories.config, 'secrets.json'), 'utf8');
    expect(secrets).not.toMatch(/svc_acme|svc_other/);
    expect(JSON.parse(secrets)).toEqual({ 'api-key:acme@https://new.example.com': 'svc_new' });
  });
});

describe('addresses', () => {
  it.each([
    'http://api.example.com',
    'ftp://api.example.com',
    'https://user:pw@api.example.com',
    'https://:pw@api.example.com',
    'https://api.example.com?x=1',
    'https://api.example.com#x',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'api.example.com',
    '',
  ])('%j is refused before anything is written', async (baseUrl) => {
    const home = emptyHome();
    const config = await open(home);
    await expect(config.save({ name: 'x', baseUrl, merchant: 'x' }, 'svc_x')).rejects.toMatchObject({
      kind: 'usage',
    });
    expect(readdirSync(home)).toEqual([]);
  });

  it.each(['http://127.0.0.1:4010', 'http://localhost:1', 'http://[::1]:80', 'https://api.example.com/v1'])(
    '%s is taken',
    async (baseUrl) => {
      const config = await open(emptyHome());
      expect((await config.save({ name: 'x', baseUrl, merchant: 'x' }, 'svc_x')).profile.baseUrl).toBe(
        baseUrl.replace(':80', ''),
      );
    },
  );
});

it('a secret that two runs make at once is one secret', async () => {
  const home = emptyHome();
  const at = await Promise.all(['first', 'second', 'third'].map((value) => ensured(home, value)));
  expect(new Set(at).size).toBe(1);
  expect(await (await open(home)).readSecret('webhook:local')).toBe(at[0]);
});

const ensured = async (home: string, value: string) =>
  (await open(home)).readOrCreateSecret('webhook:local', value);

describe('files', () => {
  it.skipIf(onWindows)('can be read by oneself, whatever the umask', async () => {
    const config = await open(emptyHome());
    // What is above it is made as the umask says: nobody could remove it, who may not read it.
    mkdirSync(dirname(config.directories.config), { recursive: true });
    const before = process.umask(0o400);
    try {
      await config.set('timeout', '5s');
      await config.set('timeout', '6s');
      expect(config.get('timeout')).toBe('6s');
      const { config: directory } = config.directories;
      expect(readdirSync(directory)).toEqual(['config.json']);
      expect(statSync(join(directory, 'config.json')).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  it.skipIf(onWindows)('are 0600 in directories of 0700, whatever the umask', async () => {
    const home = emptyHome();
    const before = process.umask(0);
    try {
      const config = await open(home);
      await config.save({ name: 'acme', baseUrl: production, merchant: 'acme' }, 'svc_acme');
      const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
      expect(mode(config.directories.config)).toBe('700');
      expect(mode(config.path)).toBe('600');
      expect(mode(join(config.directories.config, 'secrets.json'))).toBe('600');
      expect(readdirSync(config.directories.config).sort()).toEqual(['config.json', 'secrets.json']);
    } finally {
      process.umask(before);
    }
  });

  it('keep the key in the secrets file alone', async () => {
    const home = await twoProfiles();
    const { path } = await open(home);
    expect(readFileSync(path, 'utf8')).not.toContain('svc_');
  });

  const spoilt: readonly [string, (path: string) => void, string][] = [
    [
      'a symbolic link',
      (path) => {
        writeFileSync(`${path}.elsewhere`, readFileSync(path), { mode: 0o600 });
        unlinkSync(path);
        symlinkSync(`${path}.elsewhere`, path);
      },
      'symbolic link',
    ],
    ['readable to others', (path) => chmodSync(path, 0o644), 'chmod 600'],
    ['writable to the group', (path) => chmodSync(path, 0o620), 'chmod 600'],
    ['not JSON', (path) => writeFileSync(path, '{"current": '), 'JSON'],
    ['a list', (path) => writeFileSync(path, '[]'), 'JSON'],
  ];
  describe.each(spoilt)('that are %s', (_, spoil, says) => {
    it.skipIf(onWindows && says !== 'JSON').each(['config.json', 'secrets.json'])(
      '%s is refused',
      async (file) => {
        const home = await twoProfiles();
        const { directories } = await open(home);
        spoil(join(directories.config, file));
        const failure = await resolved(home).catch((error: unknown) => error as Error & { hint?: string });
        expect(failure).toMatchObject({ kind: 'config', exit: 78 });
        expect(`${(failure as Error).message} ${(failure as { hint?: string }).hint}`).toContain(says);
        expect(`${(failure as Error).message}`).not.toContain('svc_');
      },
    );
  });

  it.skipIf(uid !== 0)('belonging to another user is refused', async () => {
    const home = await twoProfiles();
    const { path } = await open(home);
    chownSync(path, 4242, 4242);
    await expect(resolved(home)).rejects.toMatchObject({
      code: 'UNSAFE_FILE',
      message: expect.stringContaining('uid 4242'),
    });
  });

  it.skipIf(onWindows).each([
    ['the group', 0o720],
    ['others', 0o702],
  ])('in a directory that %s may write to are refused', async (_, mode) => {
    const home = await twoProfiles();
    const { directories } = await open(home);
    chmodSync(directories.config, mode);
    await expect(resolved(home)).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
  });

  it('of the working directory are not read', async () => {
    const home = emptyHome();
    const before = process.cwd();
    process.chdir(home);
    try {
      for (const name of ['.env', '.pixctlrc', 'pixctl.json', '.npmrc'])
        writeFileSync(name, 'PIXCTL_API_KEY=svc_planted');
      mkdirSync('.config/pixctl', { recursive: true });
      writeFileSync(
        '.config/pixctl/config.json',
        '{"current":"x","profiles":{"x":{"baseUrl":"https://evil.example","merchant":"x"}}}',
        { mode: 0o600 },
      );
      const config = await openConfig({
        environment: { HOME: emptyHome(), XDG_CONFIG_HOME: '.config', PIXCTL_KEYCHAIN: 'off' },
        globals: {},
        platform: process.platform,
        uid,
      });
      expect(() => config.profile()).toThrow('no current profile');
      for (const HOME of ['.', '~', ' ']) {
        const below = await open(HOME);
        expect(() => below.profile()).toThrow(`HOME is "${HOME}", not an absolute path`);
        expect(() => below.directories.state).toThrow('the state would depend on the working directory');
        const told = { PIXCTL_BASE_URL: production, PIXCTL_API_KEY: 'svc_own' };
        expect(await resolved(HOME, told)).toMatchObject({ key: 'svc_own' });
        // What a ledger is opened with: they may name another merchant.
        expect(() => below.settings()).toThrow('the settings would depend on the working directory');
      }
    } finally {
      process.chdir(before);
    }
  });

  it.skipIf(onWindows)('cannot be found below a working directory that is gone', async () => {
    const gone = emptyHome();
    const before = process.cwd();
    process.chdir(gone);
    rmdirSync(gone);
    try {
      const config = await open(emptyHome(), { PIXCTL_STATE_DIR: 'state', PIXCTL_CONFIG_DIR: 'settings' });
      expect(() => config.settings()).toThrow(
        'PIXCTL_CONFIG_DIR is "settings", relative to a working directory',
      );
      expect(() => config.directories.state).toThrow(
        'PIXCTL_STATE_DIR is "state", relative to a working directory that no longer exists. Nothing was sent.',
      );
    } finally {
      process.chdir(before);
    }
  });
});

type Harm = readonly [title: string, make: (path: string) => void, code: string];

/** Whatever the umask is. */
function openToOthers(path: string): void {
  writeFileSync(path, 'svc_x');
  chmodSync(path, 0o644);
}

describe('a key file', () => {
  it('is read, without the line break at its end', async () => {
    const home = emptyHome();
    const path = join(home, 'key');
    writeFileSync(path, 'svc_from_file\n', { mode: 0o600 });
    const env = { PIXCTL_BASE_URL: production, PIXCTL_API_KEY_FILE: path };
    expect(await resolved(home, env)).toMatchObject({ keySource: 'key-file', key: 'svc_from_file' });
  });

  const open: readonly Harm[] = [
    ['open to others', openToOthers, 'UNSAFE_FILE'],
    ['a link', (path) => symlinkSync('/dev/null', path), 'UNSAFE_FILE'],
  ];
  it.each<Harm>([
    ['missing', () => {}, 'NO_KEY_FILE'],
    ...(onWindows ? [] : open),
    ['a directory', (path) => mkdirSync(path), 'UNSAFE_FILE'],
    ['empty', (path) => writeFileSync(path, ' \n', { mode: 0o600 }), 'USAGE'],
    ['of two lines', (path) => writeFileSync(path, 'svc_a\nsvc_b', { mode: 0o600 }), 'USAGE'],
  ])('that is %s is refused', async (_title, make, code) => {
    const path = join(emptyHome(), 'key');
    make(path);
    const failure = await resolved(emptyHome(), {
      PIXCTL_BASE_URL: production,
      PIXCTL_API_KEY_FILE: path,
    }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    expect(String(failure)).not.toContain('svc_');
  });
});

describe('settings', () => {
  it('are kept beside each other, and removed', async () => {
    const home = emptyHome();
    const config = await open(home);
    await config.set('policy.maxAmount', 5000);
    await config.set('policy.daily', 9000);
    await config.set('ledger.id', 'abc');
    await config.set('policy.daily', undefined);
    expect((await open(home)).settings()).toEqual({ policy: { maxAmount: 5000 }, ledger: { id: 'abc' } });
    expect((await open(home)).get('policy.maxAmount')).toBe(5000);
    expect((await open(home)).get('policy.none.deeper')).toBeUndefined();
  });

  it.each(['__proto__.polluted', 'a.__proto__.polluted', 'constructor.prototype.polluted', '', 'a..b'])(
    'never reach a prototype: %j',
    async (key) => {
      const config = await open(emptyHome());
      await expect(config.set(key, 'yes')).rejects.toMatchObject({ kind: 'usage' });
      expect(() => config.get(key)).toThrow();
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  it('and secrets named like a prototype are secrets', async () => {
    const home = emptyHome();
    const config = await open(home);
    expect(await config.writeSecret('__proto__', 'whsec_a')).toBe('file');
    expect(await (await open(home)).readSecret('__proto__')).toBe('whsec_a');
    expect(await config.readSecret('constructor')).toBeNull();
    await config.deleteSecret('__proto__');
    expect(await config.readSecret('__proto__')).toBeNull();
  });

  it('are made from what is stored at that moment, however many make them at once', async () => {
    const home = emptyHome();
    const numbers = Array.from({ length: 20 }, (_, at) => at);
    await Promise.all(
      numbers.map(async (one) =>
        (await open(home)).update('webhook.endpoints', (stored) => [...((stored as number[]) ?? []), one]),
      ),
    );
    const made = (await open(home)).get('webhook.endpoints') as number[];
    expect(made.toSorted((a, b) => a - b)).toEqual(numbers);
  });

  it('that a newer version has added are kept when another is changed', async () => {
    const home = await twoProfiles();
    const { path } = await open(home);
    const stored = JSON.parse(readFileSync(path, 'utf8'));
    stored.region = 'eu';
    stored.profiles.acme.region = 'br';
    writeFileSync(path, JSON.stringify(stored));
    const config = await open(home);
    await config.set('timeout', '9s');
    await config.save({ name: 'acme', baseUrl: production, merchant: 'acme-label' }, 'svc_renewed');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      region: 'eu',
      profiles: { acme: { region: 'br' } },
    });
    expect(config.list()[0]).toEqual({
      name: 'acme',
      baseUrl: production,
      merchant: 'acme-label',
      keySource: 'file',
    });
  });

  it.each([
    ['profiles', 'x'],
    ['profiles', [1]],
    ['profiles', null],
    ['profiles', { acme: 'x' }],
    ['secrets', []],
    ['secrets', { one: 'vault' }],
    ['settings', 'x'],
    ['current', 5],
  ])('are not read as none, nor written over, where %s is %j', async (entry, value) => {
    const home = await twoProfiles();
    const { path } = await open(home);
    const text = JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), [entry]: value });
    writeFileSync(path, text);
    const config = await open(home);
    const isDamaged = { kind: 'config', code: 'DAMAGED', message: expect.stringContaining('not changed') };
    expect(() => config.profile()).toThrow(expect.objectContaining(isDamaged));
    await expect(config.set('timeout', '9s')).rejects.toMatchObject(isDamaged);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('are read behind the byte order mark of an editor, and written without it', async () => {
    const home = await twoProfiles();
    const { path } = await open(home);
    writeFileSync(path, `\ufeff${readFileSync(path, 'utf8')}`);
    const config = await open(home);
    expect(config.profile().name).toBe('acme');
    await config.set('timeout', '9s');
    expect(readFileSync(path, 'utf8')).toMatch(/^\{/);
  });

  it('leave nothing of a write that was killed, which would hold a key that was logged out', async () => {
    const home = await twoProfiles();
    const config = await open(home);
    const directory = join(config.path, '..');
    for (const file of ['config.json', 'secrets.json'])
      writeFileSync(join(directory, `${file}.tmp-541357779634d4fb`), '{"key":"svc_acme"}');
    await config.remove('acme');
    expect(readdirSync(directory).sort()).toEqual(['config.json', 'secrets.json']);
  });

  it('are replaced in one step under a Node from a snap too', async () => {
    const home = await twoProfiles();
    const config = await open(home);
    const before = readFileSync(config.path, 'utf8');
    const reader = openSync(config.path, 'r');
    vi.stubEnv('SNAP', '/snap/node/1');
    await config.set('timeout', '9s');
    expect(process.env.SNAP).toBe('/snap/node/1');
    vi.unstubAllEnvs();
    expect(readFileSync(reader, 'utf8')).toBe(before);
    closeSync(reader);
    expect(readFileSync(config.path, 'utf8')).toContain('9s');
  });

  it.skipIf(onWindows)(
    'are there after a power cut: the folder is synced once each has its name',
    async () => {
      const home = await twoProfiles();
      const config = await open(home);
      const synced: unknown[] = [];
      const folders = syncs(({ ino }) => {
        synced.push([ino, readFileSync(config.path, 'utf8').includes('9s')]);
        return new Error('EINVAL');
      });
      await config.set('timeout', '9s');
      folders.restore();
      expect(synced).toEqual([[statSync(dirname(config.path)).ino, true]]);
    },
  );

  it('wait for whoever writes them now', async () => {
    const home = await twoProfiles();
    const config = await open(home);
    const before = readFileSync(config.path, 'utf8');
    const writes = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const other = withFileLock(config.path, () => {
      begun.resolve();
      return writes.promise;
    });
    await begun.promise;
    const set = config.set('timeout', '9s');
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(readFileSync(config.path, 'utf8')).toBe(before);
    writes.resolve();
    await Promise.all([other, set]);
    expect(readFileSync(config.path, 'utf8')).toContain('9s');
  });

  it('survive twenty writers at once', async () => {
    const home = emptyHome();
    const names = Array.from({ length: 20 }, (_, at) => `profile-${at}`);
    await Promise.all(
      names.map(async (name) =>
        (await open(home)).save({ name, baseUrl: production, merchant: name }, `svc_${name}`),
      ),
    );
    const config = await open(home);
    expect(
      config
        .list()
        .map(({ name, keySource }) => [name, keySource])
        .sort(),
    ).toEqual(names.map((name) => [name, 'file']).sort());
    expect(existsSync(`${config.path}.lock`)).toBe(false);
  });
});

describe('logins to one profile at once', () => {
  it.each([1, 2, 3])('leave the label and the key of the same one (%i)', async () => {
    const home = emptyHome();
    const { path } = await open(home);
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    const labels = Array.from({ length: 8 }, (_, at) => `m${at}`);
    const keys = new Set<string>();
    // While nobody can write the settings, as many as are let write their key.
    const held = withFileLock(path, async () => {
      const isEnough = () =>
        keys.size === labels.length || (keys.size > 0 && existsSync(join(path, '../profiles.lock')));
      for (let turn = 0; turn < 5_000 && !isEnough(); turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        const [key] = Object.values(storedKeys(home));
        if (key !== undefined) keys.add(key);
      }
    });
    const save = async (merchant: string) =>
      (await open(home)).save({ name: 'acme', baseUrl: production, merchant }, `svc_${merchant}`);
    await Promise.all([held, ...labels.map(save)]);
    const { merchant, key } = await resolved(home);
    expect(key).toBe(`svc_${merchant}`);
  });
});

function storedKeys(home: string): Record<string, string> {
  const path = join(home, '.config/pixctl/secrets.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}
