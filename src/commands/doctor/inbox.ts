/** Checks whether the inbox opens: without it, `webhook listen` cannot answer any delivery. */
import { isoTime } from '../../clock.ts';
import { isPostgres } from '../../database/address.ts';
import { orError, PixctlError } from '../../errors.ts';
import { makeWritableHint } from '../../flags/file-remedies.ts';
import type { Waiting } from '../../inbox/inbox.ts';
import { pruneCommandFor } from '../../listener/posting/prune-command.ts';
import { inboxPathOf, openInboxOf } from '../../runtime/open-inbox.ts';
import type { Runtime } from '../../runtime.ts';
import { formatCount } from '../../terminal/format-count.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { isUnwritable, notCreatedFinding } from './state-file.ts';

/** Looks at the inbox without creating one. */
export async function inboxFindings(runtime: Runtime): Promise<Finding[]> {
  if (isPostgres(runtime.environment.PIXCTL_LEDGER_URL ?? '')) return sharedInboxFindings(runtime);
  const config = await runtime.config();
  const path = inboxPathOf(config);
  const none = notCreatedFinding(config, path, { check: 'inbox', maker: 'webhook listen' });
  if (none !== null) return [none];
  const inbox = await runtime.inbox();
  const first = isUnwritable(path)
    ? wrong(
        'inbox',
        `${path} can be read but not written: webhook listen cannot store`,
        makeWritableHint(path),
      )
    : ok('inbox', path);
  return [first, ...longWaitFindings(await inbox.countWaiting(), runtime.clock.now())];
}

/** An inbox in PostgreSQL lies beside the ledger: if that cannot be opened, its own check has said why. */
async function sharedInboxFindings(runtime: Runtime): Promise<Finding[]> {
  if ((await orError(runtime.ledger())) instanceof PixctlError) return [];
  const inbox = await orError(openInboxOf(runtime, { mustExist: true }));
  if (inbox instanceof PixctlError) {
    if (inbox.code !== 'DATABASE_MISSING') throw inbox;
    return [ok('inbox', 'none yet: the first webhook listen creates it')];
  }
  try {
    const waiting = await inbox.countWaiting();
    return [ok('inbox', inbox.location), ...longWaitFindings(waiting, runtime.clock.now())];
  } finally {
    await inbox.close();
  }
}

/** Less is the time in which somebody starts the application again. Milliseconds. */
const longWaitMs = 86_400_000;

/** What has waited long for one of several applications, which may have been dropped from the flags. */
function longWaitFindings(waiting: readonly Waiting[], now: number): Finding[] {
  const byTarget = Map.groupBy(waiting, ({ target }) => target);
  return [...byTarget].flatMap(([target, all]) => {
    const since = Math.min(...all.map((each) => each.since));
    if (target === null || now - since < longWaitMs) return [];
    const events = formatCount(
      all.reduce((sum, each) => sum + each.events, 0),
      'event',
    );
    return [
      warning(
        'inbox',
        `${target} has not accepted ${events}, the oldest since ${isoTime(since)}`,
        `Start that application, and pixctl webhook listen. If it is gone: ${pruneCommandFor(target)}`,
      ),
    ];
  });
}
