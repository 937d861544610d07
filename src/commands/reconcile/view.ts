/** The columns of a reconciliation. */
import type { View } from '../../terminal/view.ts';
import type { Result } from './compare.ts';

export const resultView: View<Result> = {
  name: 'result',
  columns: [
    { key: 'orderId', header: 'Order' },
    { key: 'finding', header: 'Finding', kind: 'status' },
    { key: 'expected', header: 'Expected', kind: 'cents' },
    { key: 'paid', header: 'Paid', kind: 'cents' },
    { key: 'chargeIds', header: 'Charges', value: ({ chargeIds }) => chargeIds.join(' ') },
    { key: 'statuses', header: 'Statuses', dropPriority: 1, value: ({ statuses }) => statuses.join(' ') },
  ],
};
