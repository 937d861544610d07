/** The one detail view: what it is, what can be done with it, its facts, and whatever belongs below. */
import type { Child } from 'hono/jsx';
import { useContext } from 'hono/jsx';
import { PageContext } from './page-context.ts';

export type Tone = 'good' | 'bad' | 'wait' | 'plain';

export const Badge = ({ tone, children }: { tone: Tone; children?: Child }) => (
  <span class={`badge ${tone}`} data-testid="state">
    {children}
  </span>
);

interface DetailProps {
  readonly title: Child;
  readonly badge?: Child;
  readonly back?: { readonly path: string; readonly label: string };
  readonly actions?: Child;
  readonly facts: readonly (readonly [label: string, value: Child])[];
  readonly children?: Child;
}

export const Detail = ({ title, badge, back, actions, facts, children }: DetailProps) => {
  const { base } = useContext(PageContext);
  return (
    <article>
      {back === undefined ? null : (
        <a class="back" href={`${base}/${back.path}`} data-back>
          {`\u2190 ${back.label}`}
        </a>
      )}
      <h1>
        <bdi>{title}</bdi> {badge === undefined ? null : <span aria-live="polite">{badge}</span>}
      </h1>
      {actions === undefined ? null : <div class="actions">{actions}</div>}
      <Facts facts={facts} />
      {children}
    </article>
  );
};

export const Facts = ({ facts }: Pick<DetailProps, 'facts'>) => (
  <dl class="facts">
    {facts.map(([label, value]) => (
      <div>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

interface CodeProps {
  readonly label: string;
  /** What it belongs to, if a page has several of this label: each landmark of a page needs its own name. */
  readonly of?: string;
  readonly text: string;
}

/** Text as it is, for copying whole. */
export const Code = ({ label, of, text }: CodeProps) => {
  const name = of === undefined ? label : `${label} of ${of}`;
  return (
    <section class="code" aria-label={name}>
      <p>
        <span>{label}</span>
        <Copy text={text} what={name} />
      </p>
      <pre tabindex={0}>{text === '' ? '(empty)' : text}</pre>
    </section>
  );
};

export const Copy = ({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) => (
  <button type="button" class="quiet" data-copy={text} aria-label={`Copy ${what}`}>
    {label}
  </button>
);
