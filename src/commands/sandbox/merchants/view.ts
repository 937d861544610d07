/** The columns of merchants and of their keys. */
import type { ShownKey } from '../../../sandbox/control/keys.ts';
import type { MerchantView } from '../../../sandbox/rules/merchants.ts';
import type { Column, View } from '../../../terminal/view.ts';

const merchantColumns: readonly Column<MerchantView>[] = [
  { key: 'id', header: 'ID', value: ({ id }) => id },
  { key: 'name', header: 'Name', value: ({ name }) => name },
  { key: 'city', header: 'City', value: ({ city }) => city, detail: true },
  { key: 'available', header: 'Available', value: ({ balance }) => balance.available, kind: 'cents' },
  { key: 'pending', header: 'Pending', value: ({ balance }) => balance.pending, kind: 'cents' },
  { key: 'chargesEnabled', header: 'Charges enabled', value: ({ chargesEnabled }) => chargesEnabled },
  { key: 'pixKey', header: 'PIX key', value: ({ pixKey }) => pixKey },
  { key: 'minTicket', header: 'Smallest charge', value: ({ minTicket }) => minTicket, kind: 'cents' },
  { key: 'maxTicket', header: 'Largest charge', value: ({ maxTicket }) => maxTicket, kind: 'cents' },
  {
    key: 'withdrawalsEnabled',
    header: 'Withdrawals enabled',
    value: ({ withdrawalsEnabled }) => withdrawalsEnabled,
  },
  { key: 'withdrawalLimit', header: 'Largest withdrawal', value: (it) => it.withdrawalLimit, kind: 'cents' },
  { key: 'withdrawalFee', header: 'Fee', value: (it) => it.withdrawalFee, kind: 'cents' },
];

export const merchantView: View<MerchantView> = { name: 'merchant', columns: merchantColumns };

export const newMerchantView: View<MerchantView & { readonly apiKey: string }> = {
  name: 'merchant',
  columns: [...merchantColumns, { key: 'apiKey', header: 'API key', value: ({ apiKey }) => apiKey }],
};

export const keyView: View<ShownKey> = {
  name: 'API key',
  columns: [
    { key: 'key', header: 'Key', value: ({ key }) => key },
    { key: 'merchantId', header: 'Merchant', value: ({ merchantId }) => merchantId },
    { key: 'revokedAt', header: 'Revoked', value: ({ revokedAt }) => revokedAt, kind: 'time' },
  ],
};
