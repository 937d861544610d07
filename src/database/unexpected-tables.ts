/** Tables that lack what this version reads or writes in them: no migration tells so, but the database does. */
import { configError, messageOf } from '../errors.ts';

/** `cause` is the driver's own error, in whose words it is told (78). */
export const unexpectedTablesError = (location: string, cause: unknown) =>
  configError(
    'DATABASE_TABLES',
    `the tables in ${location} are not those of this version of pixctl (${messageOf(cause)})`,
    'Another version made them, or something else has changed them: use the newest version that has worked with them, or restore them from a backup.',
    { cause },
  );
