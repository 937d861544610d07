/** Attempts on a common time line, each of which can be opened: request, what was signed, response, and why. */
import { messageText, type ShownAttempt } from './attempt.ts';
import { Badge, Code } from './detail.tsx';
import { Countdown, formatDuration, Moment } from './moment.tsx';

interface WaterfallProps {
  /** Whose attempts they are, where a page shows those of several: `delivery 12`. */
  readonly of?: string;
  readonly attempts: readonly ShownAttempt[];
  /** When the next attempt is due; null if none is. */
  readonly next: number | null;
  readonly now: number;
}

export const Waterfall = ({ of, attempts, next, now }: WaterfallProps) => {
  const from = attempts[0]?.startedAt ?? now;
  const until = Math.max(next ?? 0, from + 1, ...attempts.map((one) => one.endedAt ?? now));
  const scale = { from, length: until - from };
  return (
    <section
      class="waterfall"
      aria-label={of === undefined ? 'Attempts' : `Attempts of ${of}`}
      data-testid="waterfall"
    >
      {attempts.map((attempt) => (
        <Attempt
          {...{ attempt, scale }}
          name={of === undefined ? attempt.label : `${of}, ${attempt.label}`}
        />
      ))}
      {next === null ? null : (
        <p class="next" data-key="next">
          <span>Next attempt</span>
          <Bar from={next} length={0} tone="wait" scale={scale} />
          <Countdown until={next} now={now} />
        </p>
      )}
      {attempts.length === 0 && next === null ? <p class="dim">No attempt was made.</p> : null}
    </section>
  );
};

interface Scale {
  readonly from: number;
  readonly length: number;
}

interface AttemptProps {
  readonly attempt: ShownAttempt;
  /** Unique on its page, in words: several may be open. */
  readonly name: string;
  readonly scale: Scale;
}

const Attempt = ({ attempt, name, scale }: AttemptProps) => {
  const { startedAt, endedAt, durationMs, tone, request, response, signedText } = attempt;
  return (
    <details data-key={attempt.key} data-testid="attempt">
      <summary>
        <span class="label">{attempt.label}</span>
        <Bar from={startedAt} length={(endedAt ?? startedAt) - startedAt} tone={tone} scale={scale} />
        <Badge tone={tone}>{attempt.outcome}</Badge>
        <span class="took">{durationMs === null ? '' : formatDuration(durationMs)}</span>
        <span class="reason">{attempt.reason}</span>
      </summary>
      <p class="dim">
        <Moment at={startedAt} />
        {attempt.remarks.map((remark) => (
          <span>{`, ${remark}`}</span>
        ))}
      </p>
      <div class="pair">
        {request === null ? null : <Code label="Request" of={name} text={messageText(request)} />}
        {response === null ? (
          <p class="dim">There was no response.</p>
        ) : (
          <Code label="Response" of={name} text={messageText(response)} />
        )}
      </div>
      {signedText === null ? null : <Code label="Signature base string" of={name} text={signedText} />}
    </details>
  );
};

/** Width and position are SVG attributes, because the page allows no inline style. */
const Bar = ({ from, length, tone, scale }: { from: number; length: number; tone: string; scale: Scale }) => {
  const x = Math.min(97, ((from - scale.from) / scale.length) * 97);
  const width = Math.max(1.5, Math.min(100 - x, (length / scale.length) * 97));
  return (
    <svg class={`bar ${tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="rail" x="0" y="4.5" width="100" height="1" />
      <rect class="mark" x={x.toFixed(2)} y="1" width={width.toFixed(2)} height="8" />
    </svg>
  );
};
