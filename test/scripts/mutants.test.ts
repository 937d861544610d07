import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('a word that no mutant has in its name is refused: nothing tried would look like nothing survived', () => {
  const script = fileURLToPath(new URL('../../scripts/mutants.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, 'xyzzy'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('No mutant is called anything with "xyzzy".');
});
