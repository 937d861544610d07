/** What the address of a database is one of: told without loading a driver. */

/** `postgres://` or `postgresql://`; anything else is the path of a SQLite file. */
export const isPostgres = (url: string): boolean => /^postgres(?:ql)?:/i.test(url);
