import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { schema, schemaVersion } from '../../../src/sandbox/store/schema.ts';

it('has a version for its tables: a state that has others is refused', () => {
  const statements = schema.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
  const digest = createHash('sha256').update(statements).digest('hex').slice(0, 16);
  expect(
    { schemaVersion, digest },
    'The tables have changed: raise schemaVersion in src/sandbox/store/schema.ts, and put both here.',
  ).toEqual({ schemaVersion: 2, digest: '6770916cf2eae165' });
});
