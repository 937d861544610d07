/** `webhook verify`: says whether a signature holds, step by step. */
import {
  type ExplainedStep,
  explainVerification,
  type SignatureExplanation,
} from '../../../contract/signature/explain.ts';
import { dataError } from '../../../errors.ts';
import type { Runtime } from '../../../runtime.ts';
import type { View } from '../../../terminal/view.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import type { SecretFlags } from '../secrets/secrets.ts';
import { readTolerance } from '../signature-flags.ts';
import { readPayload } from './payload.ts';

export interface VerifyFlags extends SecretFlags {
  readonly payloadFile: string;
  readonly signature: string;
  readonly tolerance: string;
}

interface Verdict {
  readonly ok: boolean;
  /** Unix seconds. */
  readonly timestamp: number | null;
  readonly reason: string | null;
  readonly cause: string | null;
  readonly steps: readonly ExplainedStep[];
}

/** Verifies. Throws data (65), after showing the steps, if the signature does not hold. */
export async function verify(runtime: Runtime, flags: VerifyFlags): Promise<void> {
  const output = await runtime.output();
  const perStep = output.options.format === 'table' || output.options.format === 'csv';
  if (perStep) output.check(stepView);
  else output.check(verdictView);
  const toleranceMs = readTolerance(flags.tolerance);
  const body = await readPayload(runtime, flags.payloadFile, flags);
  const secret = await requireSecret(runtime, flags);
  const explanation = explainVerification({
    secret,
    body,
    header: headerValue(flags.signature),
    now: runtime.clock.now(),
    toleranceMs,
  });
  if (perStep) await output.each(stepView, explanation.steps);
  else await output.show(verdictView, verdictOf(explanation));
  const { verified, cause } = explanation;
  if (verified.ok) return output.note('The signature is valid.');
  throw dataError(
    'SIGNATURE_INVALID',
    `The signature does not verify: ${cause ?? verified.message}.`,
    verified.reason === 'timestamp-too-old'
      ? 'The signature itself is genuine; --tolerance none accepts any age.'
      : undefined,
  );
}

/** Accepts a whole pasted line, `Service-Signature: t=...`, and the quotes that cmd.exe leaves around it. */
const headerValue = (header: string): string =>
  header.replace(/^\s*(["'])(.*)\1\s*$/s, '$2').replace(/^[\w-]+:\s*(?=(t|v1)=)/, '');

const verdictOf = ({ verified, cause, steps }: SignatureExplanation): Verdict => ({
  ok: verified.ok,
  timestamp: verified.ok ? verified.timestamp : null,
  reason: verified.ok ? null : verified.reason,
  cause,
  steps,
});

export const stepView: View<ExplainedStep> = {
  name: 'step',
  columns: [
    { key: 'step', header: 'Step' },
    { key: 'verdict', header: 'Verdict', kind: 'status' },
    { key: 'text', header: 'What is known', kind: 'text' },
  ],
};

const verdictView: View<Verdict> = {
  name: 'verdict',
  columns: [
    { key: 'ok', header: 'Holds' },
    { key: 'timestamp', header: 'Signed at' },
    { key: 'reason', header: 'Reason', kind: 'text' },
    { key: 'cause', header: 'Cause' },
    { key: 'steps', header: 'Steps', value: ({ steps }) => steps.length },
  ],
};
