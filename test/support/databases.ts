/** Fresh databases of both drivers, for what must hold on each. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Postgres, postgresMissing, startPostgres } from './postgres.ts';

export interface FreshDatabases {
  readonly name: string;
  /** Why there are none here, for a visible skip; null where there are. */
  readonly skip: string | null;
  /** The address of one that nobody has opened. */
  fresh(): Promise<string>;
}

/** The server of its PostgreSQL runs for the tests of the file that asks. */
export function freshDatabases(): readonly FreshDatabases[] {
  let server: Postgres | null = null;
  beforeAll(async () => {
    if (postgresMissing === null) server = await startPostgres();
  });
  afterAll(() => server?.stop());
  return [
    {
      name: 'sqlite',
      skip: null,
      fresh: async () => join(mkdtempSync(join(tmpdir(), 'pixctl-db-')), 'state', 'x.db'),
    },
    { name: 'postgres', skip: postgresMissing, fresh: async () => (await server?.createDatabase()) ?? '' },
  ];
}
