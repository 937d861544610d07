/** `--exit-after` and a second listener of the same inbox, which makes the first attempt at what came to the first. */
import { createServer, type ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { startApplication } from '../../../support/application.ts';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { homeWithSecret, listen } from '../../../support/listen.ts';
import { listenOnLoopback } from '../../../support/listen-on-loopback.ts';

/** An application that answers nothing until it is told to. */
async function startBusyApplication() {
  let waiting: ServerResponse[] | null = [];
  const server = createServer((request, response) => {
    request.resume();
    if (waiting === null) response.end();
    else waiting.push(response);
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    asked: () => waiting?.length,
    begin() {
      for (const response of waiting ?? []) response.end();
      waiting = null;
    },
    close: () => void server.close().closeAllConnections(),
  };
}

/** One is under way, and as many as memory holds wait behind it; what comes then is for any listener. */
const queued = 1 + 256;

it.each([
  [200, 0, ''],
  [500, 83, 'Your application has not accepted 1 event of those shown.'],
] as const)(
  'what another listener sends counts as well: answered with %i, the run ends with %i',
  async (answer, code, said) => {
    const home = homeWithSecret();
    const flags = ['--port', '0', '--secret-file', `${home}/secret`];
    const busy = await startBusyApplication();
    const to = ['-f', String(busy.port), '--concurrency', '1'];
    const first = await listen(home, [...flags, ...to, '--exit-after', `${queued + 1}`]);
    await deliver(first.url, eventBody('evt_0'));
    await expect.poll(busy.asked).toBe(1);
    for (let at = 1; at <= queued; at += 1) await deliver(first.url, eventBody(`evt_${at}`));
    const other = await startApplication();
    other.answer = answer;
    const second = await listen(home, [...flags, '-f', String(other.port), '--attempts', '1']);
    await other.until(1);
    busy.begin();
    expect(await first.exited).toBe(code);
    expect(first.stderr()).toContain(said);
    expect(other.received.map(({ id }) => id)).toEqual([`evt_${queued}`]);
    await second.stop();
    await other.close();
    busy.close();
  },
);
