/** `webhook inbox prune` as a process. The inbox's own tests say what it removes. */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { homeWithSecret, listen } from '../../../support/listen.ts';
import { run } from '../../../support/run.ts';

const home = homeWithSecret();
const prune = (...args: string[]) => run(['webhook', 'inbox', 'prune', ...args], { home });

beforeAll(async () => {
  const { url, stop } = await listen(home, ['--port', '0', '--secret-file', `${home}/secret`]);
  for (const id of ['evt_old', 'evt_new']) await deliver(url, eventBody(id));
  await stop();
  const inbox = new DatabaseSync(`${home}/.local/state/pixctl/inbox.sqlite`);
  inbox.exec("UPDATE inbox_event SET received_at = received_at - 172800000 WHERE event_id = 'evt_old'");
  inbox.close();
});
afterAll(async () => {
  expect((await run(['webhook', 'show', 'evt_new'], { home })).code).toBe(0);
});

describe('webhook inbox prune', () => {
  it.each([
    [['--older-than', '23h'], 'at least 1d'],
    [
      ['--older-than', '30d', '--status', 'waiting'],
      '--status takes one of delivered, given-up, not-forwarded',
    ],
    [[], '--older-than'],
  ])('%j is refused with 64', async (args, said) => {
    const { code, stderr } = await prune(...args);
    expect(code).toBe(64);
    expect(stderr).toContain(said);
  });

  it('says how many in a dry run, and removes none', async () => {
    const { code, stderr } = await prune('--older-than', '1d', '--status', 'not-forwarded', '--dry-run');
    expect(code).toBe(0);
    expect(stderr).toContain('Would remove 1 event received before');
    expect((await run(['webhook', 'show', 'evt_old'], { home })).code).toBe(0);
  });

  it.each(['not-forwarded', 'NOT_FORWARDED'])(
    'calls a state the same in --status %s and in json',
    async (status) => {
      const { stdout } = await run(['webhook', 'inbox', '--status', status, '-o', 'json'], { home });
      const shown = (JSON.parse(stdout) as { id: string; state: string }[]).map(({ id, state }) => [
        id,
        state,
      ]);
      expect(shown).toEqual([
        ['evt_new', 'NOT_FORWARDED'],
        ['evt_old', 'NOT_FORWARDED'],
      ]);
    },
  );

  it('removes what is old and in that state', async () => {
    const delivered = await prune('--older-than', '1d', '-o', 'json');
    expect(JSON.parse(delivered.stdout)).toMatchObject({ removed: 0, state: 'DELIVERED' });
    const kept = await prune('--older-than', '1d', '--status', 'NOT_FORWARDED', '-o', 'json');
    expect(JSON.parse(kept.stdout)).toMatchObject({ removed: 1, state: 'NOT_FORWARDED' });
    expect((await run(['webhook', 'show', 'evt_old'], { home })).code).toBe(88);
  });
});
