/** A hurried run knows the long pauses by the functions that make them: one renamed would be waited for. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const root = fileURLToPath(new URL('../../src/withdrawal', import.meta.url));
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`${root}/${name}`, 'utf8'));

const [, named = ''] = /at \(\?:([\w|]+)\)/.exec(read('hurried.cjs')) ?? [];

it.each(named.split('|'))('%s is a function that sleeps', (name) => {
  const bodies = sources.flatMap(
    (text) => new RegExp(`^async function ${name}\\([\\s\\S]*?^}`, 'm').exec(text) ?? [],
  );
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toContain('clock.sleep(');
});
