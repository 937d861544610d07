/** What a refused refund amounts to, by the refusal and by what the charge reads afterwards. */
import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/api/client.ts';
import { confirmRefusal } from '../../../src/commands/charge/refund-refused.ts';
import { orError, PixctlError } from '../../../src/errors.ts';
import { clientOf } from '../../api/client-of.ts';
import { failure, hostileServer, json, someCharge, success } from '../../support/hostile-server.ts';
import { pausedRuntime } from '../../support/paused-runtime.ts';

/** Refuses a refund, then answers the read of its charge; what the run makes of both. */
async function refused(refusal: readonly [number, string], read: readonly [number, string]) {
  await using server = await hostileServer((response, { method }) => {
    if (method === 'POST') return json(response, refusal[0], failure(refusal[1], 'no'));
    if (read[0] === 200) return json(response, 200, success({ ...someCharge, status: read[1] }));
    json(response, read[0], failure(read[1], 'no'));
  });
  const api: Api = clientOf(server.url, { retry: { attempts: 1 } });
  const { runtime, io } = pausedRuntime(api, () => {});
  try {
    const error = await orError(api.call('refundCharge', { query: { id: 'chg_1' } }));
    if (!(error instanceof PixctlError)) throw new Error('the refund was not refused');
    const charge = await confirmRefusal(runtime, 'chg_1', error);
    return { status: charge.status, said: io.err };
  } catch (error) {
    if (!(error instanceof PixctlError)) throw error;
    return { exit: error.exit, hint: error.hint ?? '' };
  } finally {
    await api.close();
  }
}

describe('a refused refund', () => {
  it.each<[readonly [number, string], readonly [number, string], object]>([
    [[400, 'BAD_REQUEST'], [200, 'PAID'], { exit: 80, hint: expect.stringContaining('may be under way') }],
    [
      [400, 'BAD_REQUEST'],
      [200, 'PENDING'],
      { exit: 80, hint: expect.stringContaining('charge wait chg_1') },
    ],
    [[400, 'BAD_REQUEST'], [200, 'EXPIRED'], { exit: 80, hint: '' }],
    [[400, 'BAD_REQUEST'], [200, 'REFUNDED'], { status: 'REFUNDED' }],
    [[409, 'CONFLICT'], [200, 'REFUNDED'], { status: 'REFUNDED' }],
    [[409, 'CONFLICT'], [200, 'PAID'], { exit: 81, hint: expect.stringContaining('charge get chg_1') }],
    [[409, 'CONFLICT'], [200, 'DISPUTED'], { exit: 80 }],
    [[400, 'ODD_PROXY'], [200, 'PAID'], { exit: 81 }],
    [[403, 'FORBIDDEN'], [200, 'PAID'], { exit: 77 }],
    [[404, 'NOT_FOUND'], [404, 'NOT_FOUND'], { exit: 81 }],
    [[400, 'BAD_REQUEST'], [500, 'INTERNAL_ERROR'], { exit: 81 }],
    [[400, 'BAD_REQUEST'], [401, 'UNAUTHORIZED'], { exit: 81 }],
    [[401, 'UNAUTHORIZED'], [401, 'UNAUTHORIZED'], { exit: 77 }],
    [[401, 'UNAUTHORIZED'], [429, 'RATE_LIMITED'], { exit: 81 }],
    [[401, 'ODD_PROXY'], [401, 'UNAUTHORIZED'], { exit: 81 }],
    [[429, 'RATE_LIMITED'], [429, 'RATE_LIMITED'], { exit: 75 }],
  ])('by %o, of a charge that then reads %o', async (refusal, read, outcome) => {
    expect(await refused(refusal, read)).toMatchObject(outcome);
  });

  it('is reported where the money was given back even so', async () => {
    expect(await refused([400, 'BAD_REQUEST'], [200, 'REFUNDED'])).toMatchObject({
      said: expect.stringContaining('chg_1 reads REFUNDED now: the money was given back'),
    });
  });
});
