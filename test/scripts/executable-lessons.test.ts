/** The training of the executable leaves nothing running, and waits for nothing that will not come. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { train } from '../../scripts/executable-lessons.ts';

/** A program that takes all lessons but one, and a sandbox that does `sandbox`. */
function pupil(sandbox: string) {
  const directory = mkdtempSync(join(tmpdir(), 'pixctl-lessons-test-'));
  const program = join(directory, 'pupil.cjs');
  writeFileSync(
    program,
    `const [directory, ...words] = process.argv.slice(2);
     const codes = { 'charge get --nonsense': 64, 'doctor --offline': 78, 'charge create --amount 20000 -o json': 1 };
     if (words[0] === 'sandbox') { ${sandbox} } else process.exitCode = codes[words.join(' ')] ?? 0;`,
  );
  return { directory, train: train(program, directory) };
}

it('a lesson that fails ends the sandbox too', async () => {
  const { directory, train } = pupil(`
    require('node:fs').writeFileSync(directory + '/pid', String(process.pid));
    console.log(JSON.stringify({ url: 'http://127.0.0.1:9', apiKey: 'svc_sandbox_x' }));
    setInterval(() => {}, 60_000);`);
  await expect(train).rejects.toThrow('the lesson "charge create --amount 20000 -o json" ended with 1');
  const pid = Number(readFileSync(join(directory, 'pid'), 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

it('a sandbox that does not start is an error', async () => {
  await expect(pupil('process.exitCode = 3;').train).rejects.toThrow(
    'the sandbox of the lessons ended with 3',
  );
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
