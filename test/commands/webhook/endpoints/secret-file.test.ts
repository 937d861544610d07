/** `webhook add --secret-file`: the file is made before anything is sent, and is not left without a secret unsaid. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { serve } from '../../../sandbox/support/over-http.ts';
import { hostileServer, json, success } from '../../../support/hostile-server.ts';
import { cleanEnvironment, emptyHome, programPath, run } from '../../../support/run.ts';

/** Where no file may be longer than so many blocks of 512 or 1,024 bytes. */
async function addOnFullDisk(env: Record<string, string>, home: string, blocks: number, ...flags: string[]) {
  const args = ['webhook', 'add', '--url', 'https://shop.example/', '--events', 'CHARGE_PAID', ...flags];
  const command = [process.execPath, programPath(), ...args];
  const child = spawn('sh', ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', ...command], {
    env: cleanEnvironment(home, env),
  });
  const ended = once(child, 'close');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

const at = ({ url, apiKey }: { url: string; apiKey: string }) => ({
  PIXCTL_BASE_URL: url,
  PIXCTL_API_KEY: apiKey,
});

describe.skipIf(process.platform === 'win32')('on a full disk', () => {
  it('registers nothing where the file itself could be made, but not the secret written into it', async () => {
    const home = emptyHome();
    const file = join(home, 'pix.secret');
    const sandbox = await serve();
    const { code, stderr } = await addOnFullDisk(at(sandbox), home, 0, '--secret-file', file);
    expect(stderr).toContain(`The file ${file} cannot be written: EFBIG. Nothing was sent.`);
    expect(code).toBe(64);
    expect(existsSync(file)).toBe(false);
    expect(sandbox.requests().filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('does not send anybody to a file that does not have the secret', async () => {
    const home = emptyHome();
    const file = join(home, 'pix.secret');
    const secret = `whsec_${'abcdefghij'.repeat(400)}`;
    await using service = await hostileServer((response) =>
      json(response, 201, success({ id: 'wh_7', secret })),
    );
    const there = at({ url: service.url, apiKey: 'svc_test' });
    const { code, stdout, stderr } = await addOnFullDisk(there, home, 2, '--secret-file', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The endpoint wh_7 is registered for https://shop.example/.');
    expect(stderr).toContain(`Its secret could not be written to ${file}: EFBIG`);
    expect(stderr).toContain('Its secret is lost: the service does not show it again.');
    expect(stderr).not.toContain('Its secret is in');
  });

  it('registers nothing whose secret it could not keep', async () => {
    const { code, stdout, stderr } = await addOnFullDisk(at(await serve()), emptyHome(), 0, '--json');
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
  const secret = readFileSync(file, 'utf8').replace(/\n$/, '');
  expect(secret).toMatch(/^whsec_\w+$/);
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
  expect(told.stderr).toContain('Name another file; or remove this one');
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it('tells what the service said, also where somebody has removed the file meanwhile', async () => {
  const home = emptyHome();
  const file = join(home, 'pix.secret');
  await using service = await hostileServer((response) => {
    rmSync(file);
    json(response, 401, { data: null, error: 'UNAUTHORIZED', message: 'no', success: false });
  });
  const told = await run(addTo(file), { home, env: at({ url: service.url, apiKey: 'svc_test' }) });
  expect(told.stderr).toContain('UNAUTHORIZED');
  expect(told.code).toBe(77);
});
