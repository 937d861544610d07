import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const all = ['test/**/*.test.ts', 'test/**/*.test.tsx'];

/**
 * Rooms whose tests are quick beside the start of a process for each file (0.4 s of processor time): their files share
 * one. test/support/left-behind.ts and test/together.test.ts see to it that none of them notices the others.
 */
export const together = ['contract', 'flags', 'plain', 'qr', 'sandbox', 'terminal'].map(
  (room) => `test/${room}`,
);
const shared = together.map((room) => `${room}/**/*.test.ts`);

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    // For what hangs, not for what is slow: a busy machine took 23 s for a test that takes 5.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A worker waits for the programs that it starts, so that each processor has work with as many.
    maxWorkers: Math.max(2, availableParallelism()),
    // A poll ends when what it waits for is there; its own second is too short where each look is a process.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'html'] },
    projects: [
      { extends: true, test: { name: 'alone', include: all, exclude: shared } },
      {
        extends: true,
        test: {
          name: 'together',
          include: shared,
          isolate: false,
          setupFiles: ['test/support/left-behind.ts'],
        },
      },
    ],
  },
});
