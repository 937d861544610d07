/**
 * Settings and secrets on the disk: a name that leads to bytes which are not there is an empty file after a power cut.
 */
import fs, { existsSync, fstatSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { openConfig } from '../../src/config/open-config.ts';
import { emptyHome, placesIn } from '../support/run.ts';

const home = emptyHome();
const config = await openConfig({
  environment: { HOME: home, ...placesIn(home), PIXCTL_KEYCHAIN: 'off' },
  globals: {},
  platform: process.platform,
  uid: process.geteuid?.(),
});
const secrets = join(dirname(config.path), 'secrets.json');
const inodeOf = (path: string) => (existsSync(path) ? statSync(path).ino : null);

/** Of each file that is flushed: which it is, what is in it, and whether it has a name that is read by then. */
const flushed: { ino: number; text: string; named: boolean }[] = [];
const { fsyncSync } = fs;
// conf takes it as it is when conf is loaded, at the first write.
fs.fsyncSync = (file) => {
  const { ino } = fstatSync(file);
  flushed.push({
    ino,
    text: readFileSync(`/proc/self/fd/${file}`, 'utf8'),
    named: [config.path, secrets].map(inodeOf).includes(ino),
  });
  fsyncSync(file);
};
syncBuiltinESMExports();
afterAll(() => {
  fs.fsyncSync = fsyncSync;
  syncBuiltinESMExports();
});

it.runIf(process.platform === 'linux').each([undefined, '/snap/node/1'])(
  'are flushed, whole, before they take their name (SNAP=%s)',
  async (snap) => {
    vi.stubEnv('SNAP', snap);
    await config.save({ name: 'acme', baseUrl: 'https://api.example.com', merchant: 'acme' }, `svc_${snap}`);
    vi.unstubAllEnvs();
    for (const path of [config.path, secrets])
      expect(flushed).toContainEqual({
        ino: statSync(path).ino,
        text: readFileSync(path, 'utf8'),
        named: false,
      });
  },
);
