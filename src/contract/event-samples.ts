/**
 * Realistic deliveries of every documented event, for `webhook trigger`, `webhook test` and tests of a receiver. The
 * shape of `data` is not shown: assumption `event-data-shape`; this is the shape that the sandbox delivers by default.
 */
import type { Event } from './event.ts';
import { type EventName, isEventName } from './event-names.ts';
import type { Withdrawal } from './withdrawal.ts';

interface SampleSource {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A fresh identifier of lower-case letters and digits, 26 or more. */
  readonly newId: () => string;
}

/** Makes a whole delivery body. Every call makes a new event, of a new resource. */
export function sampleEvent(name: EventName, source: SampleSource): Event {
  return {
    id: `evt_${source.newId()}`,
    event: name,
    createdAt: at(source, 0),
    data: sampleData(name, source),
  };
}

/** Makes a delivery body of any event: with this data, or else a sample, or none for a name that is not documented. */
export function eventOf(name: string, data: object | null, source: SampleSource): Event {
  const isSample = data === null && isEventName(name);
  return isSample
    ? sampleEvent(name, source)
    : { id: `evt_${source.newId()}`, event: name, createdAt: at(source, 0), data: { ...data } };
}

/** `data` alone. */
function sampleData(name: EventName, source: SampleSource): Event['data'] {
  switch (name) {
    case 'CHARGE_PAID':
    case 'CHECKOUT_PAID':
      return sampleCharge('PAID', source);
    case 'CHARGE_EXPIRED':
      return sampleCharge('EXPIRED', source);
    case 'REFUND_COMPLETED':
    case 'CHECKOUT_REFUNDED':
      return sampleCharge('REFUNDED', source);
    case 'WITHDRAWAL_COMPLETED':
      return sampleWithdrawal('COMPLETED', null, source);
    case 'WITHDRAWAL_FAILED':
      return sampleWithdrawal('FAILED', 'The destination account is closed', source);
  }
}

/** See `toEventData`: a charge without its codes. */
const sampleCharge = (status: string, source: SampleSource): Event['data'] => ({
  id: `chg_${source.newId()}`,
  amount: 12_345,
  status,
  txid: source.newId().slice(0, 35),
  expiresAt: at(source, 86_340_000),
  customer: {
    id: `cust_${source.newId()}`,
    name: 'Maria da Silva',
    taxId: '12345678909',
    email: 'maria@example.com',
    phone: '+5511987654321',
  },
  createdAt: at(source, -60_000),
});

const sampleWithdrawal = (status: string, failedReason: string | null, source: SampleSource): Withdrawal => ({
  id: `wd_${source.newId()}`,
  amount: 50_000,
  fee: 100,
  pixKey: '12345678909',
  pixKeyType: 'CPF',
  status,
  ...(failedReason === null ? {} : { failedReason }),
  createdAt: at(source, -60_000),
});

const at = ({ now }: SampleSource, offsetMs: number): string => new Date(now + offsetMs).toISOString();
