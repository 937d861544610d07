/** Translates PostgreSQL's failures, by SQLSTATE. Messages never carry the URL, because it may hold a password. */
import { configError, messageOf, PixctlError, storageError } from '../../errors.ts';
import { ConstraintError } from '../port.ts';
import { unexpectedTablesError } from '../unexpected-tables.ts';

const stateOf = (cause: unknown): string => {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

/** Whether it is a deadlock or a serialization failure: nothing was committed, and the transaction may run again. */
export const mayRunAgain = (cause: unknown): boolean => ['40001', '40P01'].includes(stateOf(cause));

/** Whether the connection is of no more use: lost, shut down, or now on a read-only server. */
export const isBroken = (cause: unknown): boolean => {
  const state = stateOf(cause);
  return !/^[0-9A-Z]{5}$/.test(state) || /^(08|57P|25006|25P0[34])/.test(state);
};

/**
 * Returns what to throw instead of an error of `pg`. `committing`: it came with COMMIT, which may have taken effect. An
 * error that `mayRunAgain` stays as it is, for the driver to see.
 */
export function translate(cause: unknown, location: string, committing = false): unknown {
  if (cause instanceof PixctlError || mayRunAgain(cause)) return cause;
  const state = stateOf(cause);
  if (/^23/.test(state) || state === 'P0001') {
    const { constraint } = cause as { constraint?: string };
    return new ConstraintError(constraint ?? messageOf(cause), cause);
  }
  return settingsError(cause, location) ?? failureError(cause, location, committing);
}

/** The error (78) for what fails until somebody changes a setting, here or at the server; null for anything else. */
function settingsError(cause: unknown, location: string): PixctlError | null {
  const state = stateOf(cause);
  const words = messageOf(cause);
  // If the password is missing, or `pg` does not know the login method, it has only words of its own.
  if (/^28/.test(state) || /^SASL: /.test(words))
    return configError('DATABASE_LOGIN', `${location} refused the login: ${words}`, hintOf(words));
  if (state === '3D000')
    return configError(
      'DATABASE_MISSING',
      `${location} is not there: ${words}`,
      'Check the server and the name of the database in PIXCTL_LEDGER_URL.',
    );
  if (opensFile(cause))
    return configError(
      'DATABASE_CERTIFICATE',
      `a file that the address of ${location} names cannot be read: ${words}`,
      'Check sslrootcert, sslcert and sslkey in PIXCTL_LEDGER_URL.',
    );
  if (state.startsWith('ERR_OSSL_'))
    return configError(
      'DATABASE_CERTIFICATE',
      `what ${ownFileOf(cause)} names in the address of ${location} cannot be used: ${words}`,
      'It must be a PEM file without a passphrase; the key must be that of the certificate.',
    );
  // The words of a pooler, which knows few parameters.
  if (/^unsupported startup parameter/.test(words))
    return configError(
      'DATABASE_PARAMETER',
      `${location} refused a parameter of its address: ${words}`,
      'Take it out of PIXCTL_LEDGER_URL, or have the pooler ignore it (ignore_startup_parameters of pgbouncer).',
    );
  // If the schema cannot be seen, PostgreSQL says that there is none to create tables in.
  if (state === '42501' || state === '3F000')
    return configError('DATABASE_RIGHTS', `${location} refused: ${words}`, rightsHint);
  // undefined_column, undefined_table
  if (state === '42703' || state === '42P01') return unexpectedTablesError(location, cause);
  if (state === '0A000' && /\b(?:view|rule)\b/.test(words))
    return configError('DATABASE_VIEW', `${location} refused: ${words}`, viewHint);
  return null;
}

/** The error (74) for what may pass by itself, and for what nobody foresaw. */
function failureError(cause: unknown, location: string, committing: boolean): PixctlError {
  const state = stateOf(cause);
  const words = messageOf(cause);
  if (state === '55P03') return storageError(`${location} is busy: ${words}`, { cause, hint: lockHint });
  if (state === '53300')
    return storageError(`${location} accepts no more connections: ${words}`, {
      cause,
      hint: connectionsHint,
    });
  if (/^53/.test(state))
    return storageError(`${location} has no disk space or resources left: ${words}`, {
      cause,
      hint: 'Free some there, then run again.',
    });
  if (state === '25006')
    return storageError(`${location} is read-only at present (a standby?)`, {
      cause,
      hint: standbyHint,
    });
  if (isBroken(cause))
    return storageError(
      `${location} cannot be reached${committing ? ' any more, and it is not known whether the last commit took effect' : ''}: ${words || state}`,
      { cause, hint: isUnverified(state) ? certificateHint : reachHint },
    );
  return storageError(`${location} failed: ${words}`, { cause });
}

/**
 * Whether a file that the address names (`sslrootcert` and the like) could not be read; a connection's own failures
 * come from `connect`.
 */
const opensFile = (cause: unknown): boolean => {
  const { syscall, path, code } = (cause ?? {}) as NodeJS.ErrnoException;
  // Node does not say which file a failed read was of, such as that of a directory.
  return code === 'EISDIR' || (path !== undefined && syscall === 'open');
};

/** Tells by which part of OpenSSL could not read it. A handshake's own failures are `ERR_SSL_`. */
function ownFileOf(cause: unknown): string {
  const { library } = cause as { library?: unknown };
  if (library === 'DECODER routines') return 'sslkey';
  return library === 'PEM routines' ? 'sslcert' : 'sslcert or sslkey';
}

/**
 * Whether the certificate is from an authority unknown here. No authority's file mends one that has expired, or is for
 * another host.
 */
const isUnverified = (code: string): boolean => /SELF_SIGNED|VERIFY|ISSUER/.test(code);

const lockHint =
  'Another session holds its tables: a backup, say, or a pixctl that brings them up to date. Run again once that has ended.';
const connectionsHint =
  'Run again once others have closed theirs. If this happens often, raise the limit there (max_connections, or that of the user), or put a pooler in front of it.';
const standbyHint =
  'Run again later. If it is not a standby: default_transaction_read_only is on for this user or database.';
const reachHint = 'Check the server and PIXCTL_LEDGER_URL, then run again.';
const certificateHint =
  'Name the file of the authority that signed its certificate: ?sslmode=verify-full&sslrootcert=<file.pem> in PIXCTL_LEDGER_URL.';
/** pg_hba.conf says who may log in, from where and how; versions before 14 report missing encryption as "SSL off". */
const hintOf = (words: string): string =>
  /no encryption|SSL off/.test(words)
    ? 'The server accepts no unencrypted login like this one: add ?sslmode=verify-full to PIXCTL_LEDGER_URL.'
    : 'Check user and password in PIXCTL_LEDGER_URL.';
const rightsHint =
  'The user needs to use the schema, to create tables and triggers there once, then to read, insert and update (for the inbox, also to delete). After an upgrade of pixctl, run pixctl doctor once as the owner of the tables.';
const viewHint =
  'Drop the views on the tables of pixctl, run pixctl doctor, which brings the tables up to date, then create the views again.';
