/** The command that settles an outcome which only a person can tell, as hints name it. */
import { commandLineWithKey } from '../../flags/command-line.ts';
import type { Intent } from '../../ledger/intent.ts';

/** The line with which a person settles the key: `pixctl withdrawal resolve <key> ...`. */
export const resolveLine = ({ idempotencyKey }: Pick<Intent, 'idempotencyKey'>, ...words: string[]): string =>
  commandLineWithKey(['pixctl', 'withdrawal', 'resolve'], idempotencyKey, ...words);
