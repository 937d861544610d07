/** The addresses where clouds hand out credentials, in a network of their own: no name leads a delivery there. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { noNamespaces } from '../../support/network-namespace.ts';
import { skipped } from '../../support/platform.ts';

const sandbox = new URL('../../../src/sandbox/index.ts', import.meta.url).href;

/** Runs a sandbox where `address` is this machine's and the name `instance-data` leads to it. Returns what it tells. */
function deliverTo(address: string): unknown {
  const program = `
    import { execFileSync } from 'node:child_process';
    import dns from 'node:dns';
    import { createServer } from 'node:http';
    import { startSandbox } from ${JSON.stringify(sandbox)};
    const ip = (...words) => execFileSync('ip', words);
    ip('link', 'set', 'lo', 'up');
    const address = ${JSON.stringify(address)};
    ip('addr', 'add', address, 'dev', 'lo', ...(address.includes(':') ? ['nodad'] : []));
    let asked = 0;
    const server = createServer((_, response) => response.end(String((asked += 1))));
    await new Promise((resolve) => server.listen(80, address, resolve));
    const { lookup } = dns;
    dns.lookup = (name, options, done) =>
      name !== 'instance-data' ? lookup(name, options, done)
      : options.all ? done(null, [{ address, family: address.includes(':') ? 6 : 4 }])
      : done(null, address, address.includes(':') ? 6 : 4);
    const told = await startSandbox({ assume: { 'webhook-plain-http': 'private' } });
    const added = await fetch(told.url + '/webhooks', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + told.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://instance-data/latest', events: ['CHARGE_PAID'] }),
    });
    await told.trigger('CHARGE_PAID');
    await told.clock.advance('1m');
    const [{ state, reason }] = told.deliveries();
    console.log(JSON.stringify({ added: added.status, state, reason, asked }));
    await told.close();
    server.close();
  `;
  const words = ['--net', process.execPath, '--input-type=module', '-e', program];
  return JSON.parse(
    execFileSync('unshare', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  );
}

describe.skipIf(noNamespaces !== null)(skipped('a name that leads to them', noNamespaces), () => {
  it.each(['169.254.169.254', 'fd00:ec2::254'])('is sent nothing: %s', (address) => {
    expect(deliverTo(address)).toEqual({
      added: 201,
      state: 'FAILED',
      reason: expect.stringContaining(
        `it leads to ${address}, where clouds hand out credentials, so nothing is sent there`,
      ),
      asked: 0,
    });
  });

  it('is sent its deliveries if it leads anywhere else', () => {
    expect(deliverTo('169.254.1.2')).toMatchObject({ added: 201, state: 'DELIVERED', asked: 1 });
  });
});
