/** `pixctl webhook`: flags only; each verb's body is loaded when it runs. */
import { Command } from 'commander';
import type { Runtime } from '../../runtime.ts';

/** Verbs register in one file a family, so that engineers of two families do not meet in one. */
export function webhookCommand(_runtime: Runtime): Command {
  return new Command('webhook').description('receive, keep, forward, replay and provoke webhook events');
}
