/** `pixctl withdrawal audit`: compares the ledger with the service's list. Changes nothing. */
import { PixctlError } from '../../../errors.ts';
import { parsePeriod } from '../../../flags/moment.ts';
import { untilShown } from '../../../runtime/completed-action.ts';
import { forgetfulSandbox } from '../../../runtime/remedies.ts';
import { timeReferenceOf } from '../../../runtime/time-reference.ts';
import { usesSandboxKey } from '../../../runtime/uses-sandbox-key.ts';
import type { Runtime } from '../../../runtime.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import type { View } from '../../../terminal/view.ts';
import { audit as auditScope } from '../../../withdrawal/audit.ts';
import type { Finding } from '../../../withdrawal/findings.ts';
import { openProtocol } from '../protocol.ts';
import { elsewhereText } from '../receipt.ts';

export interface AuditFlags {
  readonly since?: string;
}

export async function audit(runtime: Runtime, flags: AuditFlags): Promise<void> {
  const output = await runtime.output(findingView);
  const { since } = parsePeriod(flags, await timeReferenceOf(runtime, flags));
  const { scope, dependencies } = await openProtocol(runtime);
  const all = await auditScope(dependencies, scope);
  const findings = since === null ? all : all.filter(({ at }) => at === null || at >= since);
  const error = await errorOf(runtime, findings);
  await untilShown(output, output.each(findingView, shown(findings)), error);
  const earlier = all.length - findings.length;
  if (earlier > 0)
    output.note(
      `${formatCount(earlier, 'finding')} about earlier withdrawals, not shown here and not counted in the exit code: leave out --since to see all.`,
    );
  if (error !== null) throw error;
  const noted = findings.length === 0 ? '' : `; ${formatCount(findings.length, 'finding')} to note`;
  output.note(`Ledger and service agree${earlier === 0 ? '' : ' on the rest'}${noted}.`);
}

/** The error that the findings amount to; null if there is no more than to note. */
async function errorOf(runtime: Runtime, findings: readonly Finding[]): Promise<PixctlError | null> {
  const worst = verdicts.find(({ applies }) => findings.some(applies));
  if (worst === undefined) return null;
  const count = formatCount(findings.length, 'finding');
  const such = findings.filter(worst.applies).length;
  const share = such === findings.length ? count : `${such} of ${count}`;
  const forgotten = worst.code === 'AUDIT_PROBLEM' && (await usesSandboxKey(runtime));
  return new PixctlError(worst.exit, worst.code, `${worst.words} (${share}). Nothing was changed.`, {
    hint: forgotten ? `${forgetfulSandbox} ${worst.hint}` : worst.hint,
  });
}

/** What a finding makes of the run, worst first. Anything else (found by reconciling, a state behind) is 0. */
const verdicts = [
  {
    applies: ({ code }: Finding) => code === 'UNKNOWN',
    exit: 'unknown',
    code: 'AUDIT_UNKNOWN',
    words: 'Money may have moved: the outcome of a withdrawal is not known',
    hint: 'pixctl withdrawal reconcile settles what it can.',
  },
  {
    applies: ({ severity }: Finding) => severity === 'problem',
    exit: 'unexpected',
    code: 'AUDIT_PROBLEM',
    words: 'The service does not list what it accepted, or lists it with other values',
    hint: 'The list may be a few seconds behind: run the audit again. Ask the service about what remains before anything is sent again.',
  },
  {
    applies: ({ code }: Finding) => code === 'UNCLAIMED',
    exit: 'duplicate',
    code: 'AUDIT_UNCLAIMED',
    words: 'The service lists withdrawals that no key of this label and address claims',
    hint: 'Each says what it may be: sent by other means (the dashboard, another ledger), by a ledger that was lost, under another merchant label or at another address, or by a send of a key that was refused or sent again since.',
  },
] as const;

/** Yields one at a time, since there may be as many as withdrawals. */
function* shown(findings: readonly Finding[]): Generator<Shown> {
  for (const { severity, code, idempotencyKey, withdrawalId, amount, message, elsewhere } of findings)
    yield { severity, code, idempotencyKey, withdrawalId, amount, message, elsewhere };
}

type Shown = Omit<Finding, 'at'>;

export const findingView: View<Shown> = {
  name: 'finding',
  columns: [
    { key: 'severity', header: 'Severity' },
    { key: 'code', header: 'Finding' },
    { key: 'idempotencyKey', header: 'Idempotency key' },
    { key: 'withdrawalId', header: 'Withdrawal', kind: 'id' },
    { key: 'amount', header: 'Amount', kind: 'cents' },
    { key: 'message', header: 'What', kind: 'text', namesCommands: true },
    {
      key: 'elsewhere',
      header: 'Elsewhere',
      named: true,
      value: ({ elsewhere }) => (elsewhere === null ? null : elsewhereText(elsewhere)),
    },
  ],
};
