import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const file = new URL('../../src/plain/bare-tcp.ts', import.meta.url).href;
const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a Node of its own, started so, has before `node:net`; and whether it warned. */
function told(flags: readonly string[], env: Record<string, string> = {}, before = '') {
  const code = `${before};import(${JSON.stringify(file)}).then(({ bareTcp }) => console.log(String(bareTcp() !== null)))`;
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', code], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { there: stdout.trim(), warned: /DEP0111/.test(stderr) };
}

describe('what is there before node:net', () => {
  it('is there, and nobody is warned who asked for warnings about what is to come', () => {
    expect(told([])).toEqual({ there: 'true', warned: false });
    expect(told([], { NODE_PENDING_DEPRECATION: '1' })).toEqual({ there: 'true', warned: false });
  });

  it('is not there where Node refuses it', () => {
    const flags = ['--permission', `--allow-fs-read=${root}`];
    expect(told(flags)).toEqual({ there: 'false', warned: false });
  });

  it('is not there in Deno, which has it by name only', () => {
    expect(told([], {}, 'globalThis.Deno = {}')).toEqual({ there: 'false', warned: false });
  });
});
