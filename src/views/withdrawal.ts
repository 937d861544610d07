/** The columns of a withdrawal as the service returns it. */
import { maskPixKey } from '../contract/pix-key-mask.ts';
import { isPixKeyType, type Withdrawal, type WithdrawalById } from '../contract/withdrawal.ts';
import type { View } from '../terminal/view.ts';

export const withdrawalView: View<WithdrawalById> = {
  name: 'withdrawal',
  columns: [
    { key: 'id', header: 'ID', kind: 'id' },
    { key: 'status', header: 'Status', kind: 'status' },
    { key: 'amount', header: 'Amount', kind: 'cents' },
    { key: 'fee', header: 'Fee', kind: 'cents', dropPriority: 4 },
    { key: 'pixKey', header: 'PIX key', dropPriority: 3, text: (one) => maskedKey(one) },
    { key: 'pixKeyType', header: 'Type', dropPriority: 5 },
    { key: 'createdAt', header: 'Created', kind: 'time', dropPriority: 1 },
    { key: 'failedReason', header: 'Failed because', kind: 'text', dropPriority: 2 },
  ],
};

/** Masks a key that the service or the ledger names. One of an unknown type is masked whole. */
export function maskedKey({ pixKey, pixKeyType }: Pick<Withdrawal, 'pixKey' | 'pixKeyType'>): string {
  if (!pixKey) return '';
  return isPixKeyType(pixKeyType) ? maskPixKey(pixKey, pixKeyType) : '*'.repeat(Math.min(pixKey.length, 12));
}
