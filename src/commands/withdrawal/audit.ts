/** `pixctl withdrawal audit`: the ledger against the service's list. Changes nothing. */
import { PixctlError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import type { View } from '../../terminal/view.ts';
import { audit as auditScope, type Finding } from '../../withdrawal/audit.ts';
import { openProtocol } from './protocol.ts';

export async function audit(runtime: Runtime): Promise<void> {
  const output = await runtime.output();
  output.check(findingView);
  const { scope, dependencies } = await openProtocol(runtime);
  const findings = await auditScope(dependencies, scope);
  await output.each(findingView, findings.map(shownFinding));
  const problems = findings.filter(({ severity }) => severity === 'problem');
  if (problems.length === 0) return output.note(`Ledger and service agree; ${findings.length} notes.`);
  const unknown = problems.some(({ code }) => code === 'UNKNOWN');
  throw new PixctlError(
    unknown ? 'unknown' : 'duplicate',
    'AUDIT_PROBLEMS',
    `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} between the ledger and the service's list; nothing was changed.`,
    {
      hint: unknown
        ? 'pixctl withdrawal reconcile settles what it can.'
        : 'Look at each: a withdrawal that no intent claims was sent from elsewhere, or sent twice.',
    },
  );
}

interface ShownFinding {
  readonly severity: string;
  readonly code: string;
  readonly idempotencyKey: string | null;
  readonly withdrawalId: string | null;
  readonly amount: number | null;
  readonly message: string;
}

const shownFinding = ({ severity, code, intent, withdrawal, message }: Finding): ShownFinding => ({
  severity,
  code,
  idempotencyKey: intent?.idempotencyKey ?? null,
  withdrawalId: withdrawal?.id ?? intent?.resourceId ?? null,
  amount: withdrawal?.amount ?? intent?.amount ?? null,
  message,
});

const findingView: View<ShownFinding> = {
  name: 'finding',
  columns: [
    { key: 'severity', header: 'Severity', value: (one) => one.severity },
    { key: 'code', header: 'Finding', value: (one) => one.code },
    { key: 'idempotencyKey', header: 'Idempotency key', value: (one) => one.idempotencyKey },
    { key: 'withdrawalId', header: 'Withdrawal', value: (one) => one.withdrawalId },
    { key: 'amount', header: 'Amount', kind: 'cents', value: (one) => one.amount },
    { key: 'message', header: 'What', value: (one) => one.message },
  ],
};
