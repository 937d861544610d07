/** `/__sandbox/withdrawals`: every merchant's withdrawals, ended by hand. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Assembly } from '../assembly.ts';
import { selectWithdrawals, toWithdrawal, type WithdrawalRow } from '../rules/withdrawal-records.ts';
import { completeWithdrawal, defaultFailureReason, failWithdrawal } from '../rules/withdrawal-steps.ts';
import { maxReasonLength } from '../world/limits.ts';
import { readBody, readQuery, recordsQuery } from './input.ts';

const listQuery = recordsQuery();
const failBody = z.strictObject({
  reason: z.optional(z.string().check(z.minLength(1), z.maxLength(maxReasonLength))),
});

export const withdrawalRoutes = ({ world }: Pick<Assembly, 'world'>): Hono =>
  new Hono()
    /** Newest first. */
    .get('/', (context) => {
      const { merchantId = null, limit = 100 } = readQuery(context, listQuery);
      const rows = world.store.all<WithdrawalRow>(
        `${selectWithdrawals} WHERE merchant_id = coalesce(?, merchant_id) ORDER BY seq DESC LIMIT ?`,
        merchantId,
        limit,
      );
      return context.json(rows.map((row) => toWithdrawal(world, row)));
    })
    .post('/:id/complete', (context) => context.json(completeWithdrawal(world, context.req.param('id'))))
    .post('/:id/fail', async (context) => {
      const { reason = defaultFailureReason } = await readBody(context, failBody);
      return context.json(failWithdrawal(world, context.req.param('id'), reason));
    });
