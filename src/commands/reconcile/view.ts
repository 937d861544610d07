/** The columns of a reconciliation. */
import type { View } from '../../terminal/view.ts';
import type { Result } from './compare.ts';

export const resultView: View<Result> = {
  name: 'result',
  columns: [
    { key: 'orderId', header: 'ORDER', value: ({ orderId }) => orderId },
    { key: 'finding', header: 'FINDING', value: ({ finding }) => finding, kind: 'status' },
    { key: 'expected', header: 'EXPECTED', value: ({ expected }) => expected, kind: 'cents' },
    { key: 'paid', header: 'PAID', value: ({ paid }) => paid, kind: 'cents' },
    { key: 'chargeIds', header: 'CHARGES', value: ({ chargeIds }) => chargeIds.join(' ') },
    { key: 'statuses', header: 'STATUSES', value: ({ statuses }) => statuses.join(' ') },
  ],
};
