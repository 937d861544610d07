/** The command that lets go of what an application never accepted, for whoever finds that something is owed to it. */
import { shellQuote } from '../../page/curl.ts';
import { formatTarget } from './target.ts';

/** Returns it as a line for a shell. `target`: a URL. */
export const pruneCommandFor = (target: string): string =>
  `pixctl webhook inbox prune --target ${shellQuote(formatTarget(target))}`;
