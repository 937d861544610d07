/** What a run says whose program was replaced before it had read all of it. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createRuntime } from '../../src/runtime/create-runtime.ts';
import { asReplaced } from '../../src/runtime/replaced.ts';
import { memoryIo } from '../support/memory-io.ts';

const gone = Object.assign(new Error('a file of the program is gone'), { code: 'ERR_REPLACED' });

describe('a replaced program', () => {
  it('has sent nothing, unless an earlier send was being looked for', () => {
    expect(asReplaced(gone, { unknown: false })).toMatchObject({ code: 'REPLACED', exit: 75 });
    expect(asReplaced(gone, { unknown: true })).toMatchObject({ code: 'REPLACED', exit: 81 });
    expect(asReplaced(new Error('other'), { unknown: true })).toBeNull();
  });

  it('leaves nothing unknown where it ends just before a send that its sender counts as begun', () => {
    const runtime = createRuntime({
      io: memoryIo(),
      clock: systemClock,
      environment: {},
      platform: 'linux',
      uid: 0,
      node: null,
      version: '0.0.0',
      signal: new AbortController().signal,
      globals: () => ({}),
      holdCode() {
        throw gone;
      },
    });
    runtime.flight.unknown = true;
    expect(() => runtime.holdCode()).toThrow(expect.objectContaining({ code: 'REPLACED', exit: 75 }));
  });
});
