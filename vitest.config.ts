import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/build.ts'],
    // For what hangs, not for what is slow: a busy machine took 23 s for a test that takes 5.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A worker waits for the programs that it starts, so that each processor has work with as many.
    maxWorkers: Math.max(2, availableParallelism()),
    // A poll ends when what it waits for is there; its own second is too short where each look is a process.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'html'] },
  },
});
