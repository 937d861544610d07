/** How long ago a refusal was recorded, by a clock that nobody can set if there is one. */
import type { Intent } from '../ledger/intent.ts';
import type { SendingDependencies } from './dependencies.ts';
import { skewMs } from './since-sent.ts';

/** What the event of a refusal keeps, so that a later run can tell how long ago that was. */
export const refusedWhen = ({ owners }: Pick<SendingDependencies, 'owners'>) => ({
  boot: owners.self.boot,
  uptimeMs: owners.uptime(),
});

/**
 * Milliseconds that have surely passed since the last refusal of an intent; 0 where nothing tells. On the machine that
 * recorded it, if it has not been restarted, the time since its start is used too: the time of day may have been set.
 * The clock of another one may be ahead (`skewMs`).
 */
export async function sinceRefused(
  { ledger, owners, clock }: Pick<SendingDependencies, 'ledger' | 'owners' | 'clock'>,
  intent: Intent,
): Promise<number> {
  const refusal = (await ledger.events(intent)).findLast(({ what }) => what.endsWith('refused'));
  const { boot, uptimeMs } = refusal?.details ?? {};
  // Not since the intent was changed: a note may have come later.
  const byDay = clock.now() - (refusal?.at ?? intent.updatedAt);
  if (boot === '' || boot !== owners.self.boot || typeof uptimeMs !== 'number')
    return Math.max(0, byDay - skewMs);
  const since = owners.uptime() - uptimeMs;
  // A negative time cannot be right (a clock set back); otherwise the shorter one counts.
  return Math.max(0, byDay < 0 ? since : Math.min(since, byDay));
}
