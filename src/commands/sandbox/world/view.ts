/** The columns of what concerns the sandbox as a whole. */
import type { ClockReading } from '../../../sandbox/control/clock.ts';
import type { Seeded } from '../../../sandbox/rules/seed.ts';
import type { AssumptionInForce } from '../../../sandbox/world/choices.ts';
import type { View } from '../../../terminal/view.ts';

export const clockView: View<ClockReading> = {
  name: 'clock',
  columns: [
    { key: 'now', header: 'Now', value: ({ now }) => now, kind: 'time' },
    { key: 'mode', header: 'Mode', value: ({ mode }) => mode, kind: 'status' },
    { key: 'offsetMs', header: 'Ahead (ms)', value: ({ offsetMs }) => offsetMs },
  ],
};

export const assumptionView: View<AssumptionInForce> = {
  name: 'assumption',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'subject', header: 'Not shown', kind: 'text', value: ({ subject }) => subject },
    { key: 'inForce', header: 'In force', value: ({ inForce }) => inForce },
    { key: 'assumed', header: 'Assumed', kind: 'text', value: ({ assumed }) => assumed },
    { key: 'why', header: 'Why', kind: 'text', value: ({ why }) => why, detail: true },
    {
      key: 'override',
      header: 'Override',
      namesCommands: true,
      value: ({ override }) => override,
      detail: true,
    },
    { key: 'choices', header: 'Choices', value: ({ choices }) => choices.join(', '), detail: true },
  ],
};

export const resetView: View<{ readonly url: string }> = {
  name: 'sandbox',
  columns: [{ key: 'url', header: 'Address', value: ({ url }) => url }],
};

export const seededView: View<Seeded> = {
  name: 'result',
  columns: [
    { key: 'charges', header: 'Charges', value: ({ charges }) => charges },
    { key: 'customers', header: 'Customers', value: ({ customers }) => customers },
  ],
};

export const snapshotView: View<{ readonly file: string; readonly bytes: number }> = {
  name: 'snapshot',
  columns: [
    { key: 'file', header: 'File', value: ({ file }) => file },
    { key: 'bytes', header: 'Bytes', value: ({ bytes }) => bytes },
  ],
};
