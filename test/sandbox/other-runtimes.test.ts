/** The two modules in runtimes that are not Node, where the machine has them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { skipped } from '../support/platform.ts';
import { programPath } from '../support/run.ts';

const code = `
import { createServer } from 'node:http';
import { startSandbox } from 'pixctl/sandbox';
import { verify } from 'pixctl/webhooks';

const sandbox = await startSandbox();
const call = async (method, path, body) => {
  const headers = { authorization: 'Bearer ' + sandbox.apiKey, 'content-type': 'application/json' };
  const answer = await fetch(sandbox.url + path, { method, headers, body: JSON.stringify(body) });
  return (await answer.json()).data;
};
let secret;
const shop = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { ok } = verify({ secret, body, header: request.headers['service-signature'] });
  console.log(ok, JSON.parse(body).event);
  response.end();
});
await new Promise((resolve) => shop.listen(0, '127.0.0.1', resolve));
const url = 'http://127.0.0.1:' + shop.address().port + '/';
({ secret } = await call('POST', '/webhooks', { url, events: ['CHARGE_PAID'] }));
const charge = await call('POST', '/transparents/create', { method: 'PIX', amount: 1050 });
sandbox.pay(charge.id);
await sandbox.clock.advance('10s');
console.log(sandbox.deliveries().map(({ state }) => state).join());
await sandbox.close();
shop.close();
`;

for (const [name, program, flags] of [
  ['Bun', 'bun', []],
  ['Deno', 'deno', ['run', '-A']],
] as const) {
  const absent = spawnSync(program, ['--version']).status === 0 ? null : `there is no ${program}`;
  it.skipIf(absent !== null)(skipped(`the sandbox answers and delivers in ${name}`, absent), () => {
    const home = mkdtempSync(join(tmpdir(), 'pixctl-runtime-'));
    mkdirSync(join(home, 'node_modules'));
    symlinkSync(dirname(dirname(programPath())), join(home, 'node_modules/pixctl'), 'junction');
    writeFileSync(join(home, 'package.json'), '{"dependencies":{"pixctl":"*"}}');
    writeFileSync(join(home, 'shop.mjs'), code);
    const { status, stdout, stderr } = spawnSync(program, [...flags, 'shop.mjs'], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' },
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: 'true CHARGE_PAID\nDELIVERED\n' });
  });
}
