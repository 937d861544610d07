/** `webhook inbox prune` that a signal stops: 130, with what was done by then. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { type PruneFlags, prune } from '../../../../src/commands/webhook/inbox/prune.ts';
import type { Inbox } from '../../../../src/inbox/inbox.ts';
import { openInbox } from '../../../../src/inbox/open.ts';
import type { Runtime } from '../../../../src/runtime.ts';
import { createOutput } from '../../../../src/terminal/render-output.ts';
import { memoryIo } from '../../../support/memory-io.ts';
import { asJson } from '../../../support/paused-runtime.ts';

const target = 'http://localhost:4000/';
const old = { ...systemClock, now: () => systemClock.now() - 172_800_000 };

/** An inbox of two old events for that application; the signal comes in the middle of `during`. */
async function interrupted(during: keyof Inbox, flags: PruneFlags, { dryRun = false } = {}) {
  const url = join(mkdtempSync(join(tmpdir(), 'pixctl-prune-')), 'state', 'inbox.sqlite');
  const inbox = await openInbox({ url, clock: old });
  for (const eventId of ['evt_1', 'evt_2'])
    await inbox.add({
      ...{ source: 'signer-1', eventId, event: 'CHARGE_PAID', headers: [], origin: 'delivery', target },
      ...{ body: new TextEncoder().encode('{}'), forward: flags.target === undefined ? 'none' : 'leave' },
    });
  const interrupt = new AbortController();
  const work = inbox[during] as (...args: unknown[]) => Promise<unknown>;
  const watched = {
    ...inbox,
    async [during](...args: unknown[]) {
      const done = await work(...args);
      interrupt.abort('SIGINT');
      return done;
    },
  };
  const io = memoryIo();
  const runtime = {
    ...{ io, clock: systemClock, signal: interrupt.signal, globals: { yes: true, dryRun } },
    ...{ flight: {}, inbox: async () => watched },
    output: async () => createOutput(io, asJson, systemClock),
  } as unknown as Runtime;
  const error = await prune(runtime, flags).catch((thrown: unknown) => thrown);
  await inbox.close();
  return { error, shown: io.out };
}

const settled: PruneFlags = { olderThan: '1d', status: 'not-forwarded' };

it.each([
  ['countPrunable', settled, true, 'nothing was removed'],
  ['countForTarget', { target: '4000' }, true, 'nothing was removed'],
  ['prune', settled, false, /2 events received before \S+ were removed, and any others are still there/],
  [
    'forgetTarget',
    { target: '4000' },
    false,
    /let go of 2 events that \S+ had not accepted, and it is still owed any others/,
  ],
] as const)('during %s it says how far it got', async (during, flags, dryRun, said) => {
  const { error, shown } = await interrupted(during, flags, { dryRun });
  expect(error).toMatchObject({ kind: 'interrupted', message: expect.stringMatching(said) });
  expect(shown).toBe('');
});
