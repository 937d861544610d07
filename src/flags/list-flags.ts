/** Flags that several commands take, registered in the same words; what reads them is beside this file. */
import type { Command } from 'commander';

/** What `--since` accepts, for its help; `parseMoment` reads it. */
export const sinceForms =
  '2026-01-31, today, yesterday, 2026-01 (a month), 2026-01-31T18:00:00Z, or 24h (that long ago)';

/** Which time zone's days they are, for the help of a flag that takes a day; `timeReferenceOf` finds it out. */
export const zoneOfDays = "in the time zone of tables: TZ, else the setting timeZone, else the system's";

/** `--since` and `--until` of a list; `parsePeriod` reads them. */
export const addPeriodFlags = (command: Command, what: string): Command =>
  command
    .option('--since <moment>', `${what} at or after: ${sinceForms}`)
    .option('--until <moment>', `${what} at or before; a day or month includes all of it, ${zoneOfDays}`);

/** The filters of a list of idempotency keys; `listKeys` reads them. */
export const addLedgerFlags = (command: Command, states: string): Command =>
  addPeriodFlags(command.option('--state <a,b>', `only these: ${states}`), 'planned (its first run)').option(
    '--all-labels',
    'of every merchant label and address in it, not only of the profile',
  );

/** The filters of charges and withdrawals; `parseFilters` reads them. */
export const addFilterFlags = (command: Command, statuses: readonly string[]): Command =>
  addPeriodFlags(command.option('--status <a,b>', `only these: ${statuses.join(', ')}`), 'created')
    .option('--min-amount <amount>', 'at least this: cents, or reais with two decimals')
    .option('--max-amount <amount>', 'at most this');

/** `--type` of a PIX key; `parseKeyType` reads it. */
export const keyTypeFlag = [
  '--type <type>',
  'CPF, CNPJ, EMAIL, TELEFONE or CHAVE_ALEATORIA, when the key alone could be two types',
] as const;

/** For a flag that may be repeated: its values, in order. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];
