/** One received event on the listener's page: the real program, its inbox and an application. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { visit } from '../../sandbox/page/visitor.ts';
import { deliver, eventBody } from '../../support/delivery.ts';
import { homeWithSecret, listen } from '../../support/listen.ts';
import { startReceiver } from '../../support/receiver.ts';

it('shows the newest attempts, and tells how many older ones there are', async () => {
  await using application = await startReceiver();
  const home = homeWithSecret();
  const listener = await listen(home, [
    ...['--ui', '--port', '0', '-f', application.url, '--secret-file', join(home, 'secret')],
  ]);
  try {
    await deliver(listener.url, eventBody('evt_1'));
    await application.arrived(1);
    const page = await visit({ uiUrl: String(listener.ready.uiUrl) });
    const path = /events\/\w+/.exec((await page.see('inbox')).text)?.[0] ?? '';
    const replay = async (times: number) => {
      for (let n = 0; n < times; n += 1) await page.submit(`${path}/replay`, { how: 'resigned' });
    };
    await replay(49);
    const whole = (await page.see(path)).text;
    expect(whole.match(/data-testid="attempt"/g)?.length).toBe(50);
    expect(whole).not.toContain('older one');
    await replay(1);
    expect((await page.see(path)).text).toContain('Its newest 50 attempts are shown; there is 1 older one.');
    await replay(1);
    const { text } = await page.see(path);
    expect(text).toContain('Its newest 50 attempts are shown; there are 2 older ones.');
    expect(text.match(/data-testid="attempt"/g)?.length).toBe(50);
    expect(text).toContain('attempt 52<');
    expect(text).not.toContain('attempt 2<');
  } finally {
    await listener.stop();
  }
});
