/** Measures how long ago a refusal was recorded, by a clock that nobody can set if there is one. */
import type { Intent } from '../ledger/intent.ts';
import type { SendingDependencies } from './dependencies.ts';
import { skewMs } from './send-timing.ts';

/** What the event of a refusal keeps so that a later run can tell how long ago it was. */
export const refusalDetails = ({ owners }: Pick<SendingDependencies, 'owners'>) => ({
  boot: owners.self.boot,
  uptimeMs: owners.uptime(),
});

/**
 * Returns how many milliseconds have certainly passed since an intent's last refusal; 0 if nothing tells. On the
 * machine that recorded it, unless that was restarted, its uptime is used too, because the time of day may have been
 * set. Another machine's clock may be ahead (`skewMs`).
 */
export async function msSinceRefusal(
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
  // A negative time cannot be right (the clock was set back). Otherwise the shorter one counts.
  return Math.max(0, byDay < 0 ? since : Math.min(since, byDay));
}
