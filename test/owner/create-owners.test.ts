import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createOwners, type System, startTicks } from '../../src/owner/create-owners.ts';

const system = (more: Partial<System> = {}): System => ({
  host: async () => 'a',
  boot: async () => 'boot-1',
  started: async (pid) => (pid === 7 ? '100' : null),
  ...more,
});
const owner = { host: 'a', boot: 'boot-1', pid: 7, started: '100' };

describe('whether the owner of a send still runs', () => {
  it.each([
    ['the same process', owner, 'alive'],
    ['a process with its pid that started later', { ...owner, started: '99' }, 'gone'],
    ['no such process', { ...owner, pid: 8 }, 'gone'],
    ['before the machine started again', { ...owner, boot: 'boot-0' }, 'gone'],
    ['another host', { ...owner, host: 'b' }, 'elsewhere'],
    ['another host and start', { ...owner, host: 'b', boot: 'boot-0' }, 'elsewhere'],
    ['a start time that was not known then', { ...owner, started: '' }, 'unsure'],
    ['no such process, of one whose start was not known', { ...owner, pid: 8, started: '' }, 'gone'],
  ] as const)('%s: %s', async (_, other, expected) => {
    expect(await (await createOwners(system(), 7)).liveness(other)).toBe(expected);
  });

  it('does not say whose a pid is when its start time cannot be read now', async () => {
    expect(await (await createOwners(system({ started: async () => '' }), 7)).liveness(owner)).toBe('unsure');
  });

  it('knows this very process, and a real child once it has ended', async () => {
    const owners = await createOwners();
    const running = process.platform === 'win32' ? 'unsure' : 'alive';
    expect(await owners.liveness(owners.self)).toBe(running);
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await new Promise((resolve) => child.once('spawn', resolve));
    const of = (await createOwners(undefined, child.pid)).self;
    expect(await owners.liveness(of)).toBe(running);
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(await owners.liveness(of)).toBe('gone');
  });

  it('counts the time since the machine started, and names the machine without revealing its id', async () => {
    const owners = await createOwners();
    expect(owners.uptime()).toBeGreaterThan(0);
    expect(owners.self.host.startsWith(hostname())).toBe(true);
    const id = existsSync('/etc/machine-id') ? readFileSync('/etc/machine-id', 'utf8').trim() : '';
    if (id !== '') expect(owners.self.host).not.toContain(id.slice(0, 12));
    expect((await createOwners()).self).toEqual(owners.self);
  });

  it('reads the start time behind a name with blanks and parentheses, and takes a zombie for gone', () => {
    const stat = (state: string) =>
      `42 (a) (b c) ${state} ${Array.from({ length: 18 }, (_, at) => at).join(' ')} 4711 0`;
    expect(startTicks(stat('S'))).toBe('4711');
    expect(startTicks(stat('Z'))).toBeNull();
  });
});
