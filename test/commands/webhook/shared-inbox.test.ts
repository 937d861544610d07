/** Several hosts with one inbox, through `PIXCTL_LEDGER_URL`. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApplication } from '../../support/application.ts';
import { deliver, eventBody } from '../../support/delivery.ts';
import { homeWithSecret, type Listening, listen } from '../../support/listen.ts';
import { type Postgres, postgresMissing, startPostgres } from '../../support/postgres.ts';
import { run } from '../../support/run.ts';

describe.skipIf(postgresMissing !== null)(
  `a shared inbox${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let server: Postgres;
    let running: Listening[] = [];
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());
    afterEach(() => {
      for (const { child } of running) child.kill('SIGKILL');
      running = [];
    });

    it('takes an event once, whichever host it comes to, and one host carries on for another that was killed', async () => {
      const env = { PIXCTL_LEDGER_URL: await server.createDatabase() };
      const application = await startApplication();
      application.answer = 'hang';
      const homes = [homeWithSecret(), homeWithSecret()] as const;
      const start = async (home: string) => {
        const it = await listen(
          home,
          ['--port', '0', '--secret-file', `${home}/secret`, '-f', String(application.port)],
          env,
        );
        running.push(it);
        return it;
      };
      const [one, two] = [await start(homes[0]), await start(homes[1])];
      expect((await deliver(one.url, eventBody('evt_1'))).body).toBe('{"received":true}');
      expect((await deliver(two.url, eventBody('evt_1'))).body).toContain('duplicate');
      await application.until(1);
      application.answer = 200;
      await one.stop('SIGKILL');
      await application.untilTaken(['evt_1']);
      expect(await two.line(({ type }) => type === 'forward')).toMatchObject({
        id: 'evt_1',
        state: 'DELIVERED',
      });
      const { stdout } = await run(['webhook', 'inbox', '--fields', 'eventId,duplicates,state'], {
        home: homes[0],
        env,
      });
      expect(stdout).toContain('evt_1\t1\tDELIVERED');
      await application.close();
    });
  },
);
