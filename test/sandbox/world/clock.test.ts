import { describe, expect, it } from 'vitest';
import { createSandboxClock, type SavedClock } from '../../../src/sandbox/world/clock.ts';

const machineAt = (time: number) => {
  const machine = { time };
  return { machine, read: () => machine.time };
};

describe('the sandbox clock', () => {
  it('starts at the machine time and runs with it', () => {
    const { machine, read } = machineAt(1_000);
    const clock = createSandboxClock(read);
    expect([clock.now(), clock.mode]).toEqual([1_000, 'real']);
    machine.time = 1_500;
    expect(clock.now()).toBe(1_500);
  });

  it('stands still when frozen, and runs on from there', () => {
    const { machine, read } = machineAt(1_000);
    const clock = createSandboxClock(read);
    clock.freeze();
    machine.time = 9_000;
    expect([clock.now(), clock.mode]).toEqual([1_000, 'frozen']);
    clock.unfreeze();
    machine.time = 9_100;
    expect([clock.now(), clock.mode, clock.offsetMs]).toEqual([1_100, 'offset', -8_000]);
  });

  it('moves forward only', () => {
    const { read } = machineAt(1_000);
    const clock = createSandboxClock(read);
    clock.moveTo(61_000);
    clock.moveTo(5_000);
    expect([clock.now(), clock.mode, clock.offsetMs]).toEqual([61_000, 'offset', 60_000]);
  });

  it('never goes back when the machine clock is set back, and keeps running', () => {
    const { machine, read } = machineAt(10_000);
    const clock = createSandboxClock(read);
    clock.now();
    machine.time = 4_000;
    expect(clock.now()).toBe(10_000);
    machine.time = 4_250;
    expect(clock.now()).toBe(10_250);
  });

  it('lets no time slip by while held, and runs on from the last step', () => {
    const { machine, read } = machineAt(0);
    const clock = createSandboxClock(read);
    const release = clock.hold();
    clock.moveTo(2_000);
    machine.time = 777;
    expect(clock.now()).toBe(2_000);
    release();
    machine.time = 787;
    expect([clock.now(), clock.mode]).toEqual([2_010, 'offset']);
  });

  it('stays frozen at the last step when it was frozen before', () => {
    const { machine, read } = machineAt(0);
    const clock = createSandboxClock(read);
    clock.freeze();
    const release = clock.hold();
    clock.moveTo(2_000);
    release();
    machine.time = 5_000;
    expect([clock.now(), clock.mode]).toEqual([2_000, 'frozen']);
  });

  it.each<[string, (clock: ReturnType<typeof createSandboxClock>) => void, number, string]>([
    ['an offset', (clock) => clock.moveTo(60_000), 60_400, 'offset'],
    ['a freeze', (clock) => clock.freeze(), 1_000, 'frozen'],
    [
      'a step of an advance that was never finished',
      (clock) => {
        clock.hold();
        clock.moveTo(60_000);
      },
      60_400,
      'offset',
    ],
  ])('a restart takes over %s', (_, act, expected, mode) => {
    const { machine, read } = machineAt(1_000);
    let saved: SavedClock | null = null;
    act(createSandboxClock(read, null, (next) => (saved = next)));
    machine.time = 1_400;
    const again = createSandboxClock(read, saved);
    expect([again.now(), again.mode]).toEqual([expected, mode]);
  });

  it('a restart on a machine whose clock is behind begins where the earlier run was', () => {
    expect(createSandboxClock(() => 100, { offsetMs: 0, frozenAt: null, latest: 5_000 }).now()).toBe(5_000);
  });
});
