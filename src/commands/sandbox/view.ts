/** The columns of what the sandbox's verbs show. */
import type { Charge } from '../../contract/charge.ts';
import type { Customer } from '../../contract/customer.ts';
import type { Withdrawal } from '../../contract/withdrawal.ts';
import type { Column, View } from '../../terminal/view.ts';

export const chargeView: View<Charge> = {
  name: 'charge',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'amount', header: 'AMOUNT', value: ({ amount }) => amount, kind: 'cents' },
    { key: 'status', header: 'STATUS', value: ({ status }) => status, kind: 'status' },
    { key: 'createdAt', header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
    { key: 'expiresAt', header: 'EXPIRES', value: ({ expiresAt }) => expiresAt, kind: 'time' },
  ],
};

export const withdrawalView: View<Withdrawal> = {
  name: 'withdrawal',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'amount', header: 'AMOUNT', value: ({ amount }) => amount, kind: 'cents' },
    { key: 'fee', header: 'FEE', value: ({ fee }) => fee, kind: 'cents' },
    { key: 'pixKey', header: 'PIX KEY', value: ({ pixKey }) => pixKey },
    { key: 'status', header: 'STATUS', value: ({ status }) => status, kind: 'status' },
    { key: 'failedReason', header: 'REASON', value: ({ failedReason }) => failedReason },
    { key: 'createdAt', header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', detail: true },
  ],
};

export const customerView: View<Customer> = {
  name: 'customer',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'name', header: 'NAME', value: ({ name }) => name },
    { key: 'taxId', header: 'TAX ID', value: ({ taxId }) => taxId },
    { key: 'email', header: 'EMAIL', value: ({ email }) => email },
    { key: 'phone', header: 'PHONE', value: ({ phone }) => phone },
  ],
};

export interface MerchantItem {
  readonly id: string;
  readonly name: string;
  readonly city: string;
  readonly chargesEnabled: boolean;
  readonly pixKey: string | null;
  readonly minTicket: number;
  readonly maxTicket: number;
  readonly withdrawalsEnabled: boolean;
  readonly withdrawalLimit: number;
  readonly withdrawalFee: number;
  readonly balance: { readonly available: number; readonly pending: number };
}

const merchantColumns: readonly Column<MerchantItem>[] = [
  { key: 'id', header: 'ID', value: ({ id }) => id },
  { key: 'name', header: 'NAME', value: ({ name }) => name },
  { key: 'city', header: 'CITY', value: ({ city }) => city, detail: true },
  { key: 'available', header: 'AVAILABLE', value: ({ balance }) => balance.available, kind: 'cents' },
  { key: 'pending', header: 'PENDING', value: ({ balance }) => balance.pending, kind: 'cents' },
  { key: 'chargesEnabled', header: 'CHARGES ENABLED', value: ({ chargesEnabled }) => chargesEnabled },
  { key: 'pixKey', header: 'PIX KEY', value: ({ pixKey }) => pixKey },
  { key: 'minTicket', header: 'MIN TICKET', value: ({ minTicket }) => minTicket, kind: 'cents' },
  { key: 'maxTicket', header: 'MAX TICKET', value: ({ maxTicket }) => maxTicket, kind: 'cents' },
  {
    key: 'withdrawalsEnabled',
    header: 'WITHDRAWALS ENABLED',
    value: ({ withdrawalsEnabled }) => withdrawalsEnabled,
  },
  { key: 'withdrawalLimit', header: 'LIMIT', value: (it) => it.withdrawalLimit, kind: 'cents' },
  { key: 'withdrawalFee', header: 'FEE', value: (it) => it.withdrawalFee, kind: 'cents' },
];

export const merchantView: View<MerchantItem> = { name: 'merchant', columns: merchantColumns };

export const newMerchantView: View<MerchantItem & { readonly apiKey: string }> = {
  name: 'merchant',
  columns: [...merchantColumns, { key: 'apiKey', header: 'API KEY', value: ({ apiKey }) => apiKey }],
};

export const keyView: View<{ key: string; merchantId: string; revokedAt: string | null }> = {
  name: 'API key',
  columns: [
    { key: 'key', header: 'KEY', value: ({ key }) => key },
    { key: 'merchantId', header: 'MERCHANT', value: ({ merchantId }) => merchantId },
    { key: 'revokedAt', header: 'REVOKED', value: ({ revokedAt }) => revokedAt, kind: 'time' },
  ],
};

export interface AssumptionItem {
  readonly id: string;
  readonly subject: string;
  readonly assumed: string;
  readonly why: string;
  readonly override: string;
  readonly choices: readonly string[];
  readonly inForce: string;
  readonly chosen: boolean;
}

export const assumptionView: View<AssumptionItem> = {
  name: 'assumption',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'subject', header: 'NOT SHOWN', value: ({ subject }) => subject },
    { key: 'inForce', header: 'IN FORCE', value: ({ inForce }) => inForce },
    { key: 'assumed', header: 'ASSUMED', value: ({ assumed }) => assumed },
    { key: 'why', header: 'WHY', value: ({ why }) => why, detail: true },
    { key: 'override', header: 'OVERRIDE', value: ({ override }) => override, detail: true },
    { key: 'choices', header: 'CHOICES', value: ({ choices }) => choices.join(', '), detail: true },
  ],
};
