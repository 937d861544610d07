/** The columns of what the sandbox's verbs show, and no other command does. */
import type { Charge } from '../../contract/charge.ts';
import type { ShownKey } from '../../sandbox/control/keys.ts';
import type { MerchantView } from '../../sandbox/rules/merchants.ts';
import type { Seeded } from '../../sandbox/rules/seed.ts';
import type { AssumptionInForce } from '../../sandbox/world/choices.ts';
import type { Column, View } from '../../terminal/view.ts';
import { chargeView } from '../../views/charge.ts';

/** Without its code, which nobody pays any more. */
export const changedChargeView: View<Charge> = {
  ...chargeView,
  columns: chargeView.columns.filter(({ key }) => key !== 'brCode'),
};

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

export const assumptionView: View<AssumptionInForce> = {
  name: 'assumption',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'subject', header: 'Not shown', value: ({ subject }) => subject },
    { key: 'inForce', header: 'In force', value: ({ inForce }) => inForce },
    { key: 'assumed', header: 'Assumed', value: ({ assumed }) => assumed },
    { key: 'why', header: 'Why', value: ({ why }) => why, detail: true },
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
