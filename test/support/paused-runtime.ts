/** A runtime of two minutes whose pauses are counted instead of waited for. */
import type { Api } from '../../src/api/client.ts';
import { systemClock } from '../../src/clock.ts';
import type { Runtime } from '../../src/runtime.ts';
import { createOutput } from '../../src/terminal/render-output.ts';
import { memoryIo } from './memory-io.ts';

/** Options of an output in json. */
export const asJson = {
  format: 'json',
  fields: null,
  quiet: false,
  csvLocale: 'machine',
  timeZone: null,
} as const;

/** `onPause` is called with the number of each pause, in the middle of it. */
export function pausedRuntime(api: Api, onPause: (number: number) => void) {
  const pauses: number[] = [];
  let passed = 0;
  const clock = {
    ...systemClock,
    monotonic: () => passed,
    async sleep(ms: number) {
      passed += ms;
      onPause(pauses.push(ms));
    },
  };
  const io = memoryIo();
  const runtime = {
    io,
    clock,
    signal: new AbortController().signal,
    globals: { timeout: '2m' },
    output: async () => createOutput(io, asJson, clock),
    api: async () => api,
  } as unknown as Runtime;
  return { runtime, io, pauses };
}
