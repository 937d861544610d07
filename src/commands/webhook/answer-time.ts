/** How long an answer to an event of one's own is awaited: as long as the service does, or `--timeout`. */
import { webhookLimits } from '../../contract/webhook.ts';
import { timeoutOf } from '../../flags/duration.ts';
import type { Runtime } from '../../runtime.ts';

/** Milliseconds. Throws a usage error (64). */
export const answerTimeMs = ({ globals }: Pick<Runtime, 'globals'>): number =>
  timeoutOf(globals) ?? webhookLimits.timeoutMs;
