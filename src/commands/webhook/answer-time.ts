/** How long to wait for the answer to an event of our own: as long as the service does, or `--timeout`. */
import { webhookLimits } from '../../contract/webhook.ts';
import { timeoutOf } from '../../flags/duration.ts';
import type { Runtime } from '../../runtime.ts';

/** Returns milliseconds. Throws a usage error (64). */
export const answerTimeMs = ({ globals }: Pick<Runtime, 'globals'>): number =>
  timeoutOf(globals) ?? webhookLimits.timeoutMs;
