/** What is read out of what a server says beside its answers. */
import { EventEmitter } from 'node:events';
import type { PoolClient } from 'pg';
import { expect, it } from 'vitest';
import { sessionOn } from '../../src/database/postgres/session.ts';

/** A server that says `notice` before it answers a COMMIT. */
function saying(notice: object) {
  const client = Object.assign(new EventEmitter(), {
    async query() {
      client.emit('notice', notice);
      return { command: 'COMMIT', rows: [], rowCount: null };
    },
  });
  return sessionOn(client as unknown as PoolClient, 'the database x');
}

// `lc_messages = de_DE.UTF-8`: PostgreSQL translates the word for the severity, too.
it('accepts no commit that the server warns about, in whatever language', async () => {
  const message = 'storniere Warten auf synchrone Replikation wegen Benutzeraufforderung';
  const session = saying({ severity: 'WARNUNG', code: '01000', message });
  await expect(session.commit()).rejects.toMatchObject({
    kind: 'storage',
    message: expect.stringContaining('may be lost in a failover: storniere'),
  });
});

it('accepts one that the server only comments on', async () => {
  await expect(saying({ severity: 'HINWEIS', code: '00000', message: 'x' }).commit()).resolves.toBe(
    undefined,
  );
});
