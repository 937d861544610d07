/** How a batch pays one line: by the protocol of `withdraw`, waiting its turn and then for the end. */
import { timeoutOf } from '../../../flags/duration.ts';
import type { Runtime } from '../../../runtime.ts';
import type { BatchSteps } from '../../../withdrawal/batch/run.ts';
import { followIfAccepted } from '../../../withdrawal/follow.ts';
import { isSaved, readDestinations } from '../../../withdrawal/policy/destinations.ts';
import { readPolicy } from '../../../withdrawal/policy/settings.ts';
import { withdraw } from '../../../withdrawal/withdraw.ts';
import { warnOfOtherKey } from '../other-key.ts';
import { defaultWaitMs, type Protocol } from '../protocol.ts';

/** Makes the steps. Policy and destinations are read once: a batch is judged by the rules that it began with. */
export async function createSteps(
  runtime: Runtime,
  { scope, dependencies }: Protocol,
): Promise<Pick<BatchSteps, 'pay' | 'find'>> {
  await warnOfOtherKey(runtime);
  const config = await runtime.config();
  const policy = readPolicy(config);
  const saved = readDestinations(config);
  const waitMs = timeoutOf(runtime.globals) ?? defaultWaitMs;
  return {
    find: ({ idempotencyKey }) => dependencies.ledger.find(scope, idempotencyKey),
    pay: async ({ idempotencyKey, amount, pixKey, pixKeyType }) => {
      const outcome = await withdraw(dependencies, {
        scope,
        idempotencyKey,
        amount,
        pixKey,
        pixKeyType,
        policy,
        savedDestination: isSaved(saved, { pixKey, pixKeyType }),
        ifBusy: 'wait',
        busyTimeoutMs: waitMs,
      });
      return followIfAccepted(dependencies, outcome, { timeoutMs: waitMs });
    },
  };
}
