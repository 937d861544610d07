/** What is said of a request to a sandbox that was not answered: whether it may have had an effect. */
import { expect, it } from 'vitest';
import { sendControlRequest } from '../../../src/sandbox/control/request.ts';
import { freePort } from '../../support/free-port.ts';
import { startReceiver } from '../../support/receiver.ts';
import { serve } from '../support/over-http.ts';

const common = { token: 'none', type: 'application/json' };
const mayBeDone = {
  kind: 'unknown',
  exit: 81,
  message: expect.stringContaining('It may have carried it out.'),
};

/** A sandbox that takes a request to move its clock, and waits for a delivery that hangs. */
async function underWay(signal: AbortSignal) {
  const hook = await startReceiver('hang');
  const sandbox = await serve();
  await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
  sandbox.trigger('CHARGE_PAID');
  await hook.arrived(1);
  const { url, controlToken: token } = sandbox;
  const body = Buffer.from('{"ms":1000}');
  const answer = sendControlRequest({
    ...common,
    url,
    token,
    signal,
    method: 'POST',
    path: '/clock/advance',
    body,
  });
  const settled = answer.then(
    () => null,
    (error: unknown) => error,
  );
  // Asked later and answered: the other one has come, too.
  await sandbox.control('GET', '/clock');
  return { sandbox, settled, [Symbol.asyncDispose]: () => hook[Symbol.asyncDispose]() };
}

it('may have been done if the sandbox ends meanwhile', async () => {
  await using it = await underWay(new AbortController().signal);
  await it.sandbox.close();
  expect(await it.settled).toMatchObject(mayBeDone);
});

it('may have been done if a signal ends the wait', async () => {
  const stop = new AbortController();
  await using it = await underWay(stop.signal);
  stop.abort();
  expect(await it.settled).toMatchObject(mayBeDone);
});

it('has not been done if nobody answers, and a read never has', async () => {
  const nobody = { ...common, url: `http://127.0.0.1:${await freePort()}`, path: '/clock', body: null };
  const { signal } = new AbortController();
  for (const method of ['GET', 'POST']) {
    await expect(sendControlRequest({ ...nobody, method, signal })).rejects.toMatchObject({
      kind: 'later',
      exit: 75,
    });
  }
  const sandbox = await serve();
  const { url, controlToken: token } = sandbox;
  const path = '/events/wait';
  const reading = sendControlRequest({ ...common, url, token, signal, method: 'GET', path, body: null });
  const settled = expect(reading).rejects.toMatchObject({ kind: 'later', exit: 75 });
  await sandbox.control('GET', '/clock');
  await sandbox.close();
  await settled;
});
