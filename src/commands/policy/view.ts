/** The rules of a policy, as columns; amounts in cents. */
import type { View } from '../../terminal/view.ts';
import type { StoredPolicy } from '../../withdrawal/policy/settings.ts';

export const policyView: View<StoredPolicy> = {
  name: 'policy',
  columns: [
    {
      key: 'maxPerWithdrawal',
      header: 'Cap per withdrawal',
      kind: 'cents',
      value: (one) => one.maxPerWithdrawal,
    },
    { key: 'maxPerDay', header: 'Cap per day', kind: 'cents', value: (one) => one.maxPerDay },
    {
      key: 'savedDestinationsOnly',
      header: 'Saved destinations only',
      value: (one) => one.savedDestinationsOnly,
    },
    {
      key: 'quietHours',
      header: 'Quiet hours',
      value: ({ quietHours }) => (quietHours === null ? null : `${quietHours.from}-${quietHours.to}`),
    },
    { key: 'timeZone', header: 'Time zone', value: (one) => one.timeZone },
    {
      key: 'confirmAbove',
      header: 'Typed confirmation above',
      kind: 'cents',
      value: (one) => one.confirmAbove,
    },
  ],
};
