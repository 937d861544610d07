/** The columns of merchants and of their keys. */
import type { ShownKey } from '../../../sandbox/control/keys.ts';
import type { MerchantView } from '../../../sandbox/rules/merchants.ts';
import type { Column, View } from '../../../terminal/view.ts';

const merchantColumns: readonly Column<MerchantView>[] = [
  { key: 'id', header: 'ID' },
  { key: 'name', header: 'Name' },
  { key: 'city', header: 'City', detail: true },
  { key: 'available', header: 'Available', value: ({ balance }) => balance.available, kind: 'cents' },
  { key: 'pending', header: 'Pending', value: ({ balance }) => balance.pending, kind: 'cents' },
  { key: 'chargesEnabled', header: 'Charges enabled' },
  { key: 'pixKey', header: 'PIX key' },
  { key: 'minTicket', header: 'Smallest charge', kind: 'cents' },
  { key: 'maxTicket', header: 'Largest charge', kind: 'cents' },
  { key: 'withdrawalsEnabled', header: 'Withdrawals enabled' },
  { key: 'withdrawalLimit', header: 'Largest withdrawal', kind: 'cents' },
  { key: 'withdrawalFee', header: 'Fee', kind: 'cents' },
];

export const merchantView: View<MerchantView> = { name: 'merchant', columns: merchantColumns };

export const newMerchantView: View<MerchantView & { readonly apiKey: string }> = {
  name: 'merchant',
  columns: [...merchantColumns, { key: 'apiKey', header: 'API key' }],
};

export const keyView: View<ShownKey> = {
  name: 'API key',
  columns: [
    { key: 'key', header: 'Key' },
    { key: 'merchantId', header: 'Merchant' },
    { key: 'revokedAt', header: 'Revoked', kind: 'time' },
  ],
};
