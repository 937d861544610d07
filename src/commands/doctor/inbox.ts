/** Checks whether the inbox opens: without it, `webhook listen` cannot answer any delivery. */
import { isPostgres } from '../../database/address.ts';
import { makeWritableHint } from '../../flags/file-remedies.ts';
import { inboxPathOf } from '../../runtime/open-inbox.ts';
import type { Runtime } from '../../runtime.ts';
import { type Finding, ok, wrong } from './finding.ts';
import { isUnwritable } from './is-unwritable.ts';
import { notCreatedFinding } from './state-file.ts';

/**
 * Looks at the inbox without creating one. One in PostgreSQL lies beside the ledger, whose check has asked that server.
 */
export async function inboxFindings(runtime: Runtime): Promise<Finding[]> {
  if (isPostgres(runtime.environment.PIXCTL_LEDGER_URL ?? '')) return [];
  const config = await runtime.config();
  const path = inboxPathOf(config);
  const none = notCreatedFinding(config, path, { check: 'inbox', maker: 'webhook listen' });
  if (none !== null) return [none];
  await runtime.inbox();
  return isUnwritable(path)
    ? [
        wrong(
          'inbox',
          `${path} can be read but not written: webhook listen cannot store`,
          makeWritableHint(path),
        ),
      ]
    : [ok('inbox', path)];
}
