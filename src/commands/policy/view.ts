/** The rules of a policy, as columns; amounts in cents. */
import type { View } from '../../terminal/view.ts';
import type { StoredPolicy } from '../../withdrawal/policy/settings.ts';

export const policyView: View<StoredPolicy> = {
  name: 'policy',
  columns: [
    { key: 'maxPerWithdrawal', header: 'Cap per withdrawal', kind: 'cents' },
    { key: 'maxPerDay', header: 'Cap per day', kind: 'cents' },
    { key: 'savedDestinationsOnly', header: 'Saved destinations only' },
    {
      key: 'quietHours',
      header: 'Quiet hours',
      value: ({ quietHours }) => (quietHours === null ? null : `${quietHours.from}-${quietHours.to}`),
    },
    { key: 'timeZone', header: 'Time zone' },
    { key: 'confirmAbove', header: 'Typed confirmation above', kind: 'cents' },
  ],
};
