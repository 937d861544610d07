/** The columns of a charge. `imageBase64` is not one: `-o json` has it, `--png` writes it. */
import type { Charge } from '../contract/charge.ts';
import type { View } from '../terminal/view.ts';

export const chargeView: View<Charge> = {
  name: 'charge',
  columns: [
    { key: 'id', header: 'ID', kind: 'id', value: ({ id }) => id },
    { key: 'amount', header: 'Amount', value: ({ amount }) => amount, kind: 'cents' },
    { key: 'status', header: 'Status', value: ({ status }) => status, kind: 'status' },
    {
      key: 'createdAt',
      header: 'Created',
      dropPriority: 1,
      value: ({ createdAt }) => createdAt,
      kind: 'time',
    },
    {
      key: 'customer',
      header: 'Customer',
      dropPriority: 2,
      value: ({ customer }) => customer?.id,
      text: ({ customer }) => (customer ? `${customer.name || '-'} (${customer.id})` : ''),
    },
    { key: 'expiresAt', header: 'Expires', value: ({ expiresAt }) => expiresAt, kind: 'time', detail: true },
    { key: 'txid', header: 'Txid', value: ({ txid }) => txid, detail: true },
    { key: 'brCode', header: 'Copy and paste', value: ({ brCode }) => brCode, detail: true },
  ],
};
