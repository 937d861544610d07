/** The columns of a charge. `imageBase64` is not one: `-o json` has it, `--png` writes it. */
import type { Charge } from '../../contract/charge.ts';
import type { View } from '../../terminal/view.ts';

export const chargeView: View<Charge> = {
  name: 'charge',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'amount', header: 'AMOUNT', value: ({ amount }) => amount, kind: 'cents' },
    { key: 'status', header: 'STATUS', value: ({ status }) => status, kind: 'status' },
    { key: 'createdAt', header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
    {
      key: 'customer',
      header: 'CUSTOMER',
      value: ({ customer }) => customer?.id,
      text: ({ customer }) => (customer ? `${customer.name} (${customer.id})` : ''),
    },
    { key: 'expiresAt', header: 'EXPIRES', value: ({ expiresAt }) => expiresAt, kind: 'time', detail: true },
    { key: 'txid', header: 'TXID', value: ({ txid }) => txid, detail: true },
    { key: 'brCode', header: 'COPY AND PASTE', value: ({ brCode }) => brCode, detail: true },
  ],
};
