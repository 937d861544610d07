/** The exit codes, from the same table that decides them. */
import { exitCodes } from '../../errors.ts';

/** One row for each code. */
export const exitCodeRows = () =>
  Object.entries(exitCodes).map(([name, { exit, meaning, next }]) => ({ exit, name, meaning, next }));

export function exitCodesText(): string {
  const rows = exitCodeRows().map(({ exit, meaning, next }) =>
    next === '-' || next === 'continue'
      ? `${String(exit).padStart(4)}  ${meaning}`
      : `${String(exit).padStart(4)}  ${meaning}\n      -> ${next}`,
  );
  return [
    "What a script may conclude from the exit code. Apart from 1, no code from 1 to 13 is used: those are Node's own.",
    '',
    ...rows,
    '',
    'A batch ends with the code of its worst line; the first sentence of its message and the result file say what was paid.',
    'Running the same withdrawal again with the same idempotency key is always safe, whatever the code.',
  ].join('\n');
}
