/** PostgreSQL's failures as ours, by SQLSTATE. Messages never carry the URL: it may hold a password. */
import { configError, messageOf, PixctlError, storageError } from '../../errors.ts';
import { otherTables } from '../other-tables.ts';
import { ConstraintError } from '../port.ts';

const stateOf = (cause: unknown): string => {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

/** A deadlock or a serialization failure: nothing was committed, the transaction may run again. */
export const mayRunAgain = (cause: unknown): boolean => ['40001', '40P01'].includes(stateOf(cause));

/** No answer within `query_timeout`; `pg` has only words for it. Also of what it was translated to. */
export const isTimeout = (cause: unknown): boolean =>
  cause instanceof PixctlError
    ? isTimeout(cause.cause)
    : cause instanceof Error && cause.message === 'Query read timeout';

/** The connection is of no more use: lost, shut down, or now on a server that only reads. */
export const isBroken = (cause: unknown): boolean => {
  const state = stateOf(cause);
  return !/^[0-9A-Z]{5}$/.test(state) || /^(08|57P|25006|25P0[34])/.test(state);
};

/**
 * What to throw instead of an error of `pg`. `committing`: it came with COMMIT, which may have held. What
 * `mayRunAgain` stays as it is, for the driver to see.
 */
export function translate(cause: unknown, location: string, committing = false): unknown {
  if (cause instanceof PixctlError || mayRunAgain(cause)) return cause;
  const state = stateOf(cause);
  const words = messageOf(cause);
  if (/^23/.test(state) || state === 'P0001') {
    const { constraint } = cause as { constraint?: string };
    return new ConstraintError(constraint ?? words, cause);
  }
  // Without a password, or a way of login that it knows, `pg` has only words of its own.
  if (/^28/.test(state) || /^SASL: /.test(words))
    return configError('DATABASE_LOGIN', `${location} refused the login: ${words}`, hintOf(words));
  if (state === '3D000') return configError('DATABASE_MISSING', `${location} is not there: ${words}`);
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
  // As a pooler says it, which knows few of them.
  if (/^unsupported startup parameter/.test(words))
    return configError(
      'DATABASE_PARAMETER',
      `${location} refused a parameter of its address: ${words}`,
      'Take it out of PIXCTL_LEDGER_URL, or have the pooler ignore it (ignore_startup_parameters of pgbouncer).',
    );
  // Where the schema cannot be seen, there is none to make tables in.
  if (state === '42501' || state === '3F000')
    return configError('DATABASE_RIGHTS', `${location} refused: ${words}`, rightsHint);
  // undefined_column, undefined_table
  if (state === '42703' || state === '42P01') return otherTables(location, cause);
  if (state === '0A000' && /\b(?:view|rule)\b/.test(words))
    return configError('DATABASE_VIEW', `${location} refused: ${words}`, viewHint);
  if (state === '55P03') return storageError(`${location} is busy: ${words}`, { cause, hint: lockHint });
  if (state === '53300')
    return storageError(`${location} accepts no more connections: ${words}`, {
      cause,
      hint: connectionsHint,
    });
  if (/^53/.test(state))
    return storageError(`${location} has no disk space or resources left: ${words}`, { cause });
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

/** `sslrootcert` and the like; a connection's own failures come of `connect`. */
const opensFile = (cause: unknown): boolean => {
  const { syscall, path, code } = (cause ?? {}) as NodeJS.ErrnoException;
  // Of a directory Node does not say which one it was.
  return code === 'EISDIR' || (path !== undefined && (syscall === 'open' || syscall === 'read'));
};

/** By which part of OpenSSL could not read it; a handshake's own failures are `ERR_SSL_`. */
function ownFileOf(cause: unknown): string {
  const { library } = cause as { library?: unknown };
  if (library === 'DECODER routines') return 'sslkey';
  return library === 'PEM routines' ? 'sslcert' : 'sslcert or sslkey';
}

/** Of nobody who is known here; one that has expired, or is of another host, no file of an authority mends. */
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
/** pg_hba.conf tells who may come, from where and how; versions before 14 call the last "SSL off". */
const hintOf = (words: string): string =>
  /no encryption|SSL off/.test(words)
    ? 'The server accepts no unencrypted login like this one: add ?sslmode=verify-full to PIXCTL_LEDGER_URL.'
    : 'Check user and password in PIXCTL_LEDGER_URL.';
const rightsHint =
  'The user needs to use the schema, to create tables and triggers there once, then to read, insert and update. After an upgrade of pixctl, run pixctl doctor once as the owner of the tables.';
const viewHint =
  'Drop the views on the tables of pixctl, run pixctl doctor, which brings the tables up to date, then create the views again.';
