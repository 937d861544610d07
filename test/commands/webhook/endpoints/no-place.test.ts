/** The secret of an endpoint is shown once: where it could not be stored here, nothing is registered. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostileServer, json, success } from '../../../support/hostile-server.ts';
import { emptyHome, run } from '../../../support/run.ts';

const add = ['webhook', 'add', '--url', 'https://shop.example/hook', '--events', 'CHARGE_PAID'];
const listen = ['webhook', 'listen', '--register', '--port', '0', '--exit-after', '1', '--within', '1s'];
const registered = success({ id: 'wh_7', secret: 'whsec_once' });

const withConfig = (config: string, url: string, args: readonly string[]) =>
  run([...args], {
    home: emptyHome(),
    env: { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_test', PIXCTL_CONFIG_DIR: config },
  });

/** Below a file no directory can be made, whoever asks. */
function belowFile(): string {
  const file = join(emptyHome(), 'file');
  writeFileSync(file, '');
  return join(file, 'pixctl');
}

function besideDamaged(): string {
  const config = join(emptyHome(), 'pixctl');
  mkdirSync(config, { mode: 0o700 });
  writeFileSync(join(config, 'secrets.json'), '[]', { mode: 0o600 });
  return config;
}

it.each<[string, string[], () => string]>([
  ['webhook add, without a directory for it', add, belowFile],
  ['webhook add, beside secrets that are damaged', add, besideDamaged],
  ['webhook listen --register, without a directory for it', listen, belowFile],
])('%s: nothing is registered (78)', async (_, args, config) => {
  await using service = await hostileServer((response) => json(response, 201, registered));
  const { code, stdout, stderr } = await withConfig(config(), service.url, args);
  expect([code, stdout]).toEqual([78, '']);
  expect(stderr).toContain('Nothing was sent.');
  expect(service.received.filter(({ method }) => method === 'POST')).toEqual([]);
});

it.each<[string[], 'stdout' | 'stderr']>([
  [['--json'], 'stdout'],
  [['--fields', 'id'], 'stderr'],
  [['--jq', '.id'], 'stderr'],
  [['--jq', '.id.name'], 'stderr'],
])(
  'a secret whose place goes while the service answers is shown (%j), and the run does not end well',
  async (flags, where) => {
    const config = join(emptyHome(), 'pixctl');
    await using service = await hostileServer((response) => {
      rmSync(config, { recursive: true });
      writeFileSync(config, '');
      json(response, 201, registered);
    });
    const { code, stdout, stderr } = await withConfig(config, service.url, [...add, ...flags]);
    expect(code).toBe(1);
    expect({ stdout, stderr }[where]).toContain('whsec_once');
    expect(stderr).toContain('The endpoint is registered, but its secret could not be stored here.');
    expect(stderr).toContain('copy it now');
  },
);
