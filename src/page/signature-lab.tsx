/** The signature lab: header, body and secret go in, and each step of the judgement comes out. */
import { explainVerification, type SignatureExplanation } from '../contract/signature/explain.ts';
import { defaultToleranceMs } from '../contract/signature.ts';
import { Badge, type Tone } from './detail.tsx';
import { ActionForm, Choice, Field } from './form.tsx';

interface LabForm {
  /** Whether something was submitted for checking. */
  readonly submitted: boolean;
  readonly header: string;
  readonly body: string;
  /** As typed; it is never shown again. */
  readonly secret: string;
  /** Which known secret to use instead of a typed one. */
  readonly known: string;
  readonly tolerance: string;
  /** Which stored body to use instead of a pasted one: not every body is text that survives a form. */
  readonly kept: string;
}

interface LabProps {
  readonly to: string;
  readonly form: LabForm;
  /** Secrets that need no typing, by name. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The body that the form's `kept` names. */
  readonly kept?: Uint8Array | undefined;
  /** Milliseconds since the epoch, on the machine's clock. */
  readonly now: number;
}

export const parseLabForm = (fields: Readonly<Record<string, unknown>>): LabForm => ({
  submitted: fields.header !== undefined,
  header: textOf(fields.header),
  // A form sends every line break as CRLF; what was pasted seldom had one.
  body: textOf(fields.body).replaceAll('\r\n', '\n'),
  secret: textOf(fields.secret),
  known: textOf(fields.known),
  tolerance: textOf(fields.tolerance) || 'usual',
  kept: textOf(fields.kept),
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const SignatureLab = ({ to, form, secrets, kept, now }: LabProps) => {
  const secret = form.secret === '' ? secrets.get(form.known) : form.secret;
  const judged =
    secret === undefined || form.header === ''
      ? null
      : explainSignature(form, kept ?? form.body, secret, now);
  return (
    <article>
      <h1>Signature lab</h1>
      <p class="dim">
        Paste what was received. Each step says whether it holds, and the first one that does not says why.
      </p>
      {judged === null ? null : <Verdict judged={judged} />}
      {judged === null && form.submitted ? (
        <p class="problem" role="alert" data-testid="unchecked">
          Nothing was checked: {form.header === '' ? 'the signature header' : 'the secret'} is missing.
        </p>
      ) : null}
      <ActionForm
        to={to}
        label="Check"
        tone="main"
        testid="lab-check"
        fields={kept === undefined ? {} : { kept: form.kept }}
      >
        <div class="stack">
          <Field
            name="header"
            label="Signature header"
            value={form.header}
            placeholder="t=1767323045,v1=f71a..."
          />
          {kept === undefined ? (
            <Field name="body" label="Body, exactly as it came" value={form.body} rows={8} />
          ) : (
            <p data-testid="kept">Body: the {kept.byteLength} bytes of this event, exactly as they came.</p>
          )}
          <Choice
            name="known"
            label="Secret"
            options={[
              ['', 'the one typed below'],
              ...[...secrets.keys()].map((name) => [name, name] as const),
            ]}
            chosen={form.known}
          />
          <Field name="secret" label="Secret, typed" secret placeholder="whsec_..." />
          <Choice
            name="tolerance"
            label="Age"
            options={[
              ['usual', 'at most 5 minutes'],
              ['none', 'any'],
            ]}
            chosen={form.tolerance}
          />
        </div>
      </ActionForm>
    </article>
  );
};

/**
 * A form does not say which line breaks were pasted: if the signature fails with LF and holds with CRLF, it was CRLF.
 */
function explainSignature(
  { header, tolerance }: LabForm,
  body: string | Uint8Array,
  secret: string,
  now: number,
): SignatureExplanation {
  const toleranceMs = tolerance === 'none' ? null : defaultToleranceMs;
  const read = (bytes: string | Uint8Array) =>
    explainVerification({ header, body: bytes, secret, now, toleranceMs });
  const judged = read(body);
  if (isSigned(judged) || typeof body !== 'string' || !body.includes('\n')) return judged;
  const other = read(body.replaceAll('\n', '\r\n'));
  return isSigned(other) ? other : judged;
}

const isSigned = ({ steps }: SignatureExplanation): boolean =>
  steps.some(({ step, verdict }) => step === 'signature' && verdict === 'ok');

const tones: Record<SignatureExplanation['steps'][number]['verdict'], Tone> = {
  ok: 'good',
  wrong: 'bad',
  odd: 'wait',
  unknown: 'plain',
};

const Verdict = ({ judged: { verified, steps } }: { judged: SignatureExplanation }) => (
  <section class="verdict" role="status" aria-label="Verdict" data-testid="verdict">
    <h2>{verified.ok ? 'The signature is valid.' : 'The signature does not verify.'}</h2>
    <ol>
      {steps.map(({ step, verdict, text }) => (
        <li data-testid={`step-${step}`}>
          <Badge tone={tones[verdict]}>{verdict}</Badge> <b>{step}</b> {text}
        </li>
      ))}
    </ol>
  </section>
);
