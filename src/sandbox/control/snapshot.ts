/** `/__sandbox/snapshot` and `/__sandbox/restore`: the world as bytes, and back. */
import { Hono } from 'hono';
import { dataError } from '../../errors.ts';
import type { Machinery } from '../machinery.ts';

const largest = 1024 ** 3;

export const snapshotRoutes = (machinery: Machinery): Hono =>
  new Hono()
    .get('/snapshot', (context) =>
      context.body(machinery.snapshot() as Uint8Array<ArrayBuffer>, 200, {
        'content-type': 'application/vnd.sqlite3',
      }),
    )
    .post('/restore', async (context) => {
      if (Number(context.req.header('content-length') ?? 0) > largest) {
        throw dataError('TOO_LARGE', 'a snapshot of more than 1 GiB is not read; nothing was changed');
      }
      await machinery.restore(new Uint8Array(await context.req.arrayBuffer()));
      return context.json({ restored: true });
    });
