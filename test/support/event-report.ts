/** What a listener reports of a charge that was paid, and that the application has accepted. */
import type { EventReport } from '../../src/listener/report.ts';

export const paidReport: EventReport = {
  type: 'event',
  id: 'evt_1',
  event: 'CHARGE_PAID',
  verified: true,
  duplicate: false,
  forward: { status: 200, ms: 12.4 },
  state: 'DELIVERED',
  amount: 12_345,
  status: 'PAID',
  key: 'in_1',
};
