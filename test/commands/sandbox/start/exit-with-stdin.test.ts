/** `pixctl sandbox start --exit-with-stdin`: a sandbox that never outlives the program that started it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, onTestFailed } from 'vitest';
import { noSignals } from '../../../support/platform.ts';
import { cleanEnvironment, emptyHome, node, programPath, start } from '../../../support/run.ts';

const flags = ['sandbox', 'start', '--no-profile', '--exit-with-stdin', '-o', 'json'];

const children: ReturnType<typeof start>[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function startChild() {
  const child = start(flags);
  children.push(child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += String(chunk);
  });
  const [line] = await once(child.stdout, 'data');
  return { child, url: JSON.parse(String(line)).url as string, stderr: () => stderr };
}

/** Starts a sandbox as a test fixture does, tells its line, and waits for its own end. */
const fixture = `
  const { spawn } = require('node:child_process');
  spawn(process.argv[1], process.argv.slice(2), { stdio: ['pipe', 'inherit', 'inherit'] });
`;

describe('pixctl sandbox start --exit-with-stdin', () => {
  it('runs while stdin is open, and says why it stops', async () => {
    const { child, url, stderr } = await startChild();
    child.stdin.write('what comes is not read as anything\n');
    expect((await fetch(`${url}/withdrawals`)).status).toBe(401);
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr()).toBe('stdin has ended, so the sandbox stops.\n');
  });

  it.skipIf(noSignals !== null)('ends at a signal while stdin is still open', async () => {
    const { child, stderr } = await startChild();
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr()).toBe('');
  });

  it('is gone once the program that started it has been killed', async () => {
    const parent = spawn(node, ['-e', fixture, node, programPath(), ...flags], {
      env: cleanEnvironment(emptyHome()),
    });
    const [line] = await once(parent.stdout, 'data');
    const { url, pid } = JSON.parse(String(line));
    onTestFailed(() => void process.kill(pid, 'SIGKILL'));
    expect((await fetch(`${url}/withdrawals`)).status).toBe(401);
    parent.stderr.resume();
    parent.kill('SIGKILL');
    // The sandbox holds these pipes too: they close with the last of the two.
    await once(parent, 'close');
    await expect(fetch(`${url}/withdrawals`)).rejects.toThrow('fetch failed');
  });
});
