/** The sandbox's pages, under `/__sandbox/ui`. They read what is there, and call what the control plane calls. */
import type { Hono } from 'hono';
import { systemClock } from '../../clock.ts';
import { createPages, type Pages } from '../../page/pages.tsx';
import type { Assembly } from '../assembly.ts';
import { assumptionPages } from './assumptions.tsx';
import { chargePages } from './charges.tsx';
import { clockPages } from './clock.tsx';
import { eventPages } from './events.tsx';
import { describeError } from './facts.ts';
import { faultPages } from './faults.tsx';
import { labPages } from './lab.tsx';
import { moneyPages } from './money.tsx';
import { pagePath } from './path.ts';
import { payerPages } from './payer.tsx';
import { requestPages } from './requests.tsx';

const sections = [
  { path: 'charges', label: 'Charges', shortcut: '1' },
  { path: 'events', label: 'Events', shortcut: '2' },
  { path: 'money', label: 'Money', shortcut: '3' },
  { path: 'clock', label: 'Clock', shortcut: '4' },
  { path: 'faults', label: 'Faults', shortcut: '5' },
  { path: 'requests', label: 'Requests', shortcut: '6' },
  { path: 'assumptions', label: 'Assumptions', shortcut: '7' },
  { path: 'lab', label: 'Signature lab', shortcut: '8' },
] as const;

export function sandboxPages(sandbox: Assembly): Hono {
  const { clock, store } = sandbox.world;
  const shown: Pages = createPages({
    name: 'pixctl sandbox',
    base: pagePath,
    token: sandbox.controlToken,
    sections,
    shownClock: () => ({ now: clock.now(), running: clock.mode !== 'frozen', mode: clock.mode }),
    machine: systemClock,
    versions: () => ({
      records: store.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0,
      requests: sandbox.log.list({ limit: 1 })[0]?.number ?? 0,
      faults: sandbox.faults
        .list()
        .map(({ id, matched, fired, spent }) => `${id}-${matched}-${fired}-${spent}`)
        .join('_'),
      clock: `${clock.save().offsetMs}-${clock.save().frozenAt}`,
    }),
    describeError,
    onError: sandbox.report,
  });
  for (const add of [
    chargePages,
    payerPages,
    eventPages,
    moneyPages,
    clockPages,
    faultPages,
    requestPages,
    assumptionPages,
    labPages,
  ]) {
    add(shown, sandbox);
  }
  return shown.routes;
}
