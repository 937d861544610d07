/** A charge that was created or refunded, and cannot be read after that: no code may say that the run had no effect. */
import { describe, expect, it } from 'vitest';
import {
  failure,
  type HostileServer,
  hostileServer,
  json,
  someCharge,
  success,
} from '../../support/hostile-server.ts';
import { noSignals, skipped } from '../../support/platform.ts';
import { run, start } from '../../support/run.ts';

/** Takes whatever is sent, with an answer that is no charge for a refund; after that every read is `status`. */
const unreadable = (status: number, error: string): Promise<HostileServer> => {
  let taken = false;
  return hostileServer((response, { method, path }) => {
    if (method === 'POST') {
      taken = true;
      const isCreate = path.includes('create');
      return json(response, isCreate ? 201 : 200, success(isCreate ? someCharge : {}));
    }
    if (taken) return json(response, status, failure(error, 'why'));
    json(response, 200, success({ ...someCharge, status: 'PAID' }));
  });
};

const environment = ({ url }: HostileServer) => ({ PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_x' });

const pixctl = (server: HostileServer, ...args: string[]) =>
  run(['charge', ...args, '--yes', '--timeout', '2s'], { env: environment(server) });
const create = ['create', '--amount', String(someCharge.amount), '--wait', '-o', 'json'];

describe.concurrent.each([
  [500, 'INTERNAL_ERROR'],
  [401, 'UNAUTHORIZED'],
])('where reads end with %i after that', (status, error) => {
  it('a create that waits is pending, and shows its charge', async () => {
    await using server = await unreadable(status, error);
    const { code, stdout, stderr } = await pixctl(server, ...create);
    expect({ code, id: JSON.parse(stdout).id }).toEqual({ code: 82, id: someCharge.id });
    expect(stderr).toContain('was PENDING when it was last read, and could not be read after that');
    expect(stderr).toContain(`pixctl charge wait ${someCharge.id}`);
    expect(stderr).not.toContain('nothing changed');
  });

  it('a refund that waits is pending, and is not to be waited for as for a payment', async () => {
    await using server = await unreadable(status, error);
    const { code, stderr } = await pixctl(server, 'refund', 'chg_1', '--wait');
    expect(code).toBe(82);
    expect(stderr).toContain('The refund was accepted. chg_1 was PAID when it was last read');
    expect(stderr).toContain('could not be read after that');
    expect(stderr).toContain('the same command sends a second refund');
    expect(stderr).toContain('pixctl charge get chg_1');
    expect(stderr).not.toMatch(/nothing changed|charge wait/);
  });

  it('a refund is not said to read PAID still', async () => {
    await using server = await unreadable(status, error);
    const { code, stderr } = await pixctl(server, 'refund', 'chg_1');
    expect(code).toBe(0);
    expect(stderr).toContain('The refund was accepted, but the charge could not be read after it');
    expect(stderr).not.toContain('still reads');
  });
});

it.skipIf(noSignals !== null)(
  skipped('a refund that is stopped while it waits is not to be waited for as for a payment', noSignals),
  async () => {
    await using server = await unreadable(500, 'INTERNAL_ERROR');
    const child = start(['charge', 'refund', 'chg_1', '--wait', '--yes'], { env: environment(server) });
    let err = '';
    child.stderr.on('data', (chunk) => {
      const begun = err.includes('Trying again');
      err += chunk;
      if (!begun && err.includes('Trying again')) child.kill('SIGTERM');
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(143);
    expect(err).toContain('The refund was accepted. Stopped waiting; chg_1 was PAID.');
    expect(err).toContain('the same command sends a second refund');
    expect(err).toContain('pixctl charge get chg_1');
    expect(err).not.toContain('charge wait');
  },
);
