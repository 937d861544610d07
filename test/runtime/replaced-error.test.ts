/** What a run says whose program was replaced before it had read all of it. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createRuntime } from '../../src/runtime/create-runtime.ts';
import { toReplacedError } from '../../src/runtime/replaced-error.ts';
import { memoryIo } from '../support/memory-io.ts';

const gone = Object.assign(new Error('a file of the program is gone'), { code: 'ERR_REPLACED' });

describe('a replaced program', () => {
  it('has sent nothing, unless an earlier send was being looked for', () => {
    expect(toReplacedError(gone, { outcomeUnknown: false })).toMatchObject({
      ...{ code: 'REPLACED', exit: 75 },
      message: expect.stringMatching(/Nothing was sent to the service\.$/),
    });
    expect(toReplacedError(gone, { outcomeUnknown: true })).toMatchObject({
      ...{ code: 'REPLACED', exit: 81 },
      message: expect.stringMatching(/What is not known yet is still not known; this run sent nothing\.$/),
    });
    expect(toReplacedError(new Error('other'), { outcomeUnknown: true })).toBeNull();
  });

  it.each([
    ['EMFILE', 'Allow it to open more files (ulimit -n), then run it again.'],
    ['EIO', 'Check the disk and the permissions of its installation, then run it again.'],
  ])('is not called replaced where a part of it cannot be read (%s)', (code, hint) => {
    const unread = Object.assign(new Error('a file', { cause: { code } }), { code: 'ERR_REPLACED' });
    expect(toReplacedError(unread, { outcomeUnknown: false })).toMatchObject({
      ...{ code: 'NOT_LOADED', exit: 75, hint },
      message: `A part of pixctl itself cannot be read (${code}). Nothing was sent to the service.`,
    });
    expect(toReplacedError(unread, { outcomeUnknown: true })?.exit).toBe(81);
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
      preloadCode() {
        throw gone;
      },
    });
    runtime.flight.outcomeUnknown = true;
    expect(() => runtime.preloadCode()).toThrow(expect.objectContaining({ code: 'REPLACED', exit: 75 }));
  });
});
