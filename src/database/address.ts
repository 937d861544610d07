/** Which database an address means, a SQLite file or a PostgreSQL server, decided without loading a driver. */
import { configError } from '../errors.ts';

/** `postgres://` or `postgresql://`; anything else is the path of a SQLite file. */
export const isPostgres = (url: string): boolean => /^postgres(?:ql)?:/i.test(url);

/**
 * The path of the file that an address means, such as `sqlite:///var/x.db`, `file:///C:/x.db`, `sqlite:x.db`, `x.db`.
 * Throws `configError` (78) for another scheme, for a server without a scheme, and for a server in quotes (which a file
 * of `docker run --env-file` keeps). Taken for file names, these would give each host a ledger of its own, in a
 * directory whose name may hold a password.
 */
export function sqlitePathOf(url: string): string {
  const path = url.replace(/^(?:sqlite|file):(?:\/\/\/?(?=[a-z]:[\\/])|\/\/(?=\/))?/i, '');
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(path)?.[1];
  if (scheme !== undefined)
    throw configError(
      'DATABASE_URL',
      `"${scheme}:" is not a database that pixctl can use`,
      'Give the path of a file, or postgres://user@host/database.',
    );
  if (inMemory.test(path))
    throw configError(
      'DATABASE_URL',
      ':memory: is a database that disappears with the process',
      'Give the path of a file, or ./:memory: for a file of that name.',
    );
  if (unexpanded.test(path))
    throw configError(
      'DATABASE_URL',
      'the address of the database begins with ~ or with a variable, which was not expanded',
      'Give the whole path of the file; if it really has such a name, write ./ before it.',
    );
  if ((path === url && (looksLikeServer.test(path) || inQuotesOrBlank.test(path))) || blankAtEnd.test(path))
    throw configError(
      'DATABASE_URL',
      looksLikeServer.test(path)
        ? 'the address of the database looks like that of a server, but does not begin with postgres://'
        : 'the address of the database begins with a quote or a space, or ends with a space',
      'Give postgres://user@host/database, without quotes or spaces around it, or write ./ before a path that begins that way.',
    );
  return path;
}

/** It would be a file below the working directory: another ledger in each. */
const unexpanded = /^(?:~[^/\\]*[/\\]|\$[a-z{(]|%[^%]+%)/i;

const inQuotesOrBlank = /^["'\s]/;

/**
 * `set NAME=x.db && ...` of cmd.exe leaves a blank at the end, which Windows strips from the name and Node does not.
 */
const blankAtEnd = /\s$/;

const inMemory = /^\/*:memory:$/i;

/**
 * Matches `user@host`, `host:5432/database`, `postgres//host`, and an address behind a quote, a space or `jdbc:`; a
 * path may begin with `.`, `/` or a drive.
 */
const looksLikeServer = /^(?:[^./\\~][^/\\]*(?:@|:\d+(?:\/|$)|:\/\/)|\/\/[^/]*@|postgres(?:ql)?\/\/)/i;
