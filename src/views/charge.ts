/** The columns of a charge. `imageBase64` is not one: `-o json` has it, `--png` writes it. */
import type { Charge } from '../contract/charge.ts';
import type { View } from '../terminal/view.ts';

export const chargeView: View<Charge> = {
  name: 'charge',
  columns: [
    { key: 'id', header: 'ID', kind: 'id' },
    { key: 'amount', header: 'Amount', kind: 'cents' },
    { key: 'status', header: 'Status', kind: 'status' },
    { key: 'createdAt', header: 'Created', dropPriority: 1, kind: 'time' },
    {
      key: 'customer',
      header: 'Customer',
      dropPriority: 2,
      value: ({ customer }) => customer?.id,
      text: ({ customer }) => (customer ? `${customer.name || '-'} (${customer.id})` : ''),
    },
    { key: 'expiresAt', header: 'Expires', kind: 'time', detail: true },
    { key: 'txid', header: 'Txid', detail: true },
    { key: 'brCode', header: 'Copy and paste', detail: true },
  ],
};
