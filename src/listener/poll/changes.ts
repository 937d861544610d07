/**
 * Says which events a change of status means (document: "States and transitions"). Pure. EXPIRED and DISPUTED make
 * none: the service sends no event for the former, and the document shows none for the latter.
 */
export type ResourceKind = 'charge' | 'withdrawal';

/** Returns event names in the order in which the service would have sent them. `before` null: not seen before. */
export function eventsOfChange(kind: ResourceKind, before: string | null, after: string): readonly string[] {
  const earlier = before === null ? [] : eventsUpTo(kind, before);
  return eventsUpTo(kind, after).filter((event) => !earlier.includes(event));
}

/** Returns every event that a resource in this status has behind it. */
function eventsUpTo(kind: ResourceKind, status: string): readonly string[] {
  if (kind === 'withdrawal') {
    if (status === 'COMPLETED') return ['WITHDRAWAL_COMPLETED'];
    return status === 'FAILED' ? ['WITHDRAWAL_FAILED'] : [];
  }
  switch (status) {
    case 'PAID':
    case 'DISPUTED':
      return ['CHARGE_PAID'];
    case 'REFUNDED':
      return ['CHARGE_PAID', 'REFUND_COMPLETED'];
    default:
      return [];
  }
}
