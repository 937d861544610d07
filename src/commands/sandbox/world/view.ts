/** The columns of what concerns the sandbox as a whole. */
import type { ClockReading } from '../../../sandbox/control/clock.ts';
import type { Seeded } from '../../../sandbox/rules/seed.ts';
import type { AssumptionInForce } from '../../../sandbox/world/choices.ts';
import type { View } from '../../../terminal/view.ts';

export const clockView: View<ClockReading> = {
  name: 'clock',
  columns: [
    { key: 'now', header: 'Now', kind: 'time' },
    { key: 'mode', header: 'Mode', kind: 'status' },
    { key: 'offsetMs', header: 'Ahead (ms)' },
  ],
};

export const assumptionView: View<AssumptionInForce> = {
  name: 'assumption',
  columns: [
    { key: 'id', header: 'ID' },
    { key: 'subject', header: 'Not shown', kind: 'text' },
    { key: 'inForce', header: 'In force' },
    { key: 'assumed', header: 'Assumed', kind: 'text' },
    { key: 'why', header: 'Why', kind: 'text', detail: true },
    { key: 'override', header: 'Override', namesCommands: true, detail: true },
    { key: 'choices', header: 'Choices', value: ({ choices }) => choices.join(', '), detail: true },
  ],
};

export const resetView: View<{ readonly url: string }> = {
  name: 'sandbox',
  columns: [{ key: 'url', header: 'Address' }],
};

export const seededView: View<Seeded> = {
  name: 'result',
  columns: [
    { key: 'charges', header: 'Charges' },
    { key: 'customers', header: 'Customers' },
  ],
};

export const snapshotView: View<{ readonly file: string; readonly bytes: number }> = {
  name: 'snapshot',
  columns: [
    { key: 'file', header: 'File' },
    { key: 'bytes', header: 'Bytes' },
  ],
};
