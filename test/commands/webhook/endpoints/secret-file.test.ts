/** `webhook add --secret-file`: the file is made before anything is sent, and is not left without a secret unsaid. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { serve } from '../../../sandbox/support/over-http.ts';
import { cleanEnvironment, emptyHome, programPath, run } from '../../../support/run.ts';

/** Where no file may have so much as a byte. */
async function addOnFullDisk(home: string, ...flags: string[]) {
  const { url, apiKey } = await serve();
  const args = ['webhook', 'add', '--url', 'https://shop.example/', '--events', 'CHARGE_PAID', ...flags];
  const command = [process.execPath, programPath(), ...args];
  const child = spawn('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...command], {
    env: cleanEnvironment(home, { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: apiKey }),
  });
  const ended = once(child, 'close');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

describe.skipIf(process.platform === 'win32')('on a full disk', () => {
  it('does not send anybody to a file that has no secret', async () => {
    const home = emptyHome();
    const file = join(home, 'pix.secret');
    const { code, stderr } = await addOnFullDisk(home, '--secret-file', file);
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(stderr).toMatch(/The endpoint wh_\w+ is registered for https:\/\/shop.example\//);
    expect(stderr).toContain('Its secret is lost: the service does not show it again.');
    expect(stderr).not.toContain('Its secret is in');
  });

  it('registers nothing whose secret it could not keep', async () => {
    const { code, stdout, stderr } = await addOnFullDisk(emptyHome(), '--json');
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toMatch(/The settings cannot be written: .*; nothing was sent"/);
  });
});

const addTo = (file: string) => [
  ...['webhook', 'add', '--url', 'https://shop.example/', '-e', 'CHARGE_PAID'],
  ...['--secret-file', file],
];

it('leaves no file where nothing was registered, so that the same line can be run again', async () => {
  const { url, apiKey } = await serve();
  const home = emptyHome();
  const file = join(home, 'pix.secret');
  const as = (key: string) => run(addTo(file), { home, env: { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: key } });
  expect((await as(`${apiKey}x`)).code).toBe(77);
  expect(existsSync(file)).toBe(false);
  const added = await as(apiKey);
  expect(added.code).toBe(0);
  const secret = readFileSync(file, 'utf8').trim();
  expect(secret).toMatch(/^whsec_/);
  expect(`${added.stdout}${added.stderr}`).not.toContain(secret);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('writes over no file that is there, and sends nothing', async () => {
  const { url, apiKey } = await serve();
  const home = emptyHome();
  const file = join(home, 'pix.secret');
  writeFileSync(file, 'mine');
  const told = await run(addTo(file), { home, env: { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: apiKey } });
  expect(told.code).toBe(64);
  expect(told.stderr).toContain('exists already, and is not overwritten. Nothing was sent.');
  expect(readFileSync(file, 'utf8')).toBe('mine');
});
