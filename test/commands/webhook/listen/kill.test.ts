/** The listener killed under load at moments that a seed chooses, with applications of every kind behind it. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../support/application.ts';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { homeWithSecret, listen } from '../../../support/listen.ts';
import { run } from '../../../support/run.ts';
import { randomFrom } from '../../../withdrawal/simulation/random.ts';

let application: Application;
beforeEach(async () => {
  application = await startApplication();
});
afterEach(() => application.close());

type Mood = 'up' | 'down' | 'hanging' | 'failing' | 'not found' | 'moody';
const moods: readonly Mood[] = ['failing', 'down', 'hanging', 'moody', 'not found', 'up'];

async function become(mood: Mood, before: Mood | null): Promise<void> {
  if (before === 'down' && mood !== 'down') await application.up();
  if (mood === 'down') await application.down();
  application.answer = {
    up: 200,
    down: 200,
    hanging: 'hang' as const,
    failing: 500,
    'not found': 404,
    moody: (id: string) => (id.endsWith('1') ? 200 : id.endsWith('2') ? ('hang' as const) : 503),
  }[mood];
}

it.each([71, 72])(
  'loses no delivery that it answered with 2xx, and calls nothing delivered that was not (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    const home = homeWithSecret();
    const args = ['--secret-file', `${home}/secret`, '-f', String(application.port)];
    const acknowledged = new Set<string>();
    let sent = 0;
    let port = '0';
    let before: Mood | null = null;

    for (const mood of moods) {
      await become(mood, before);
      before = mood;
      const listener = await listen(home, [...args, '--port', port]);
      port = new URL(listener.url).port;
      let killed = false;
      let left = random.int(10, 400);
      const enough = Promise.withResolvers<void>();
      const acknowledge = (id: string) => {
        acknowledged.add(id);
        if (--left === 0) enough.resolve();
      };
      const senders = Array.from({ length: 8 }, async () => {
        while (!killed) {
          const id = `evt_${++sent}`;
          await deliver(listener.url, eventBody(id)).then(
            ({ status }) => status === 200 && acknowledge(id),
            () => {},
          );
        }
      });
      await enough.promise;
      await listener.stop('SIGKILL');
      killed = true;
      await Promise.all(senders);
    }

    application.answer = 200;
    const last = await listen(home, [...args, '--port', port]);
    await application.untilTaken(acknowledged);
    expect(acknowledged.size).toBeGreaterThan(50);
    await last.stop();

    const { stdout } = await run(['webhook', 'inbox', '--all', '--status', 'delivered', '-o', 'ndjson'], {
      home,
    });
    const delivered = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { eventId: string }).eventId);
    expect(delivered.filter((id) => !application.taken.has(id))).toEqual([]);
    expect(delivered.length).toBeGreaterThan(0);
  },
);
