/** A form that does something, with what the guard requires. */
import type { Child } from 'hono/jsx';
import { useContext } from 'hono/jsx';
import { PageContext } from './page-context.ts';
import { ShortcutKey, shortcutAttributes } from './shortcut-key.tsx';

export interface ActionFormProps {
  /** Path below the base. */
  readonly to: string;
  /** The words on the button. */
  readonly label: string;
  /** What it does, if the label alone does not say: its description. The name stays what is read on it. */
  readonly title?: string;
  /** What it does it to, if a page has several of this label: each control needs a name of its own. */
  readonly of?: string | undefined;
  readonly shortcut?: string;
  readonly tone?: 'main' | 'danger';
  readonly fields?: Readonly<Record<string, string>>;
  readonly testid?: string;
  /** Leads to another page, as forms do without scripts. */
  readonly plain?: boolean;
  /** Inputs before the button. */
  readonly children?: Child;
}

export const ActionForm = ({
  to,
  label,
  title,
  of,
  shortcut,
  tone,
  fields = {},
  testid,
  plain,
  children,
}: ActionFormProps) => {
  const page = useContext(PageContext);
  const { base, formToken } = page;
  return (
    <form
      method="post"
      action={`${base}/${to}`}
      class="act"
      data-key={`act-${to}-${label}`}
      data-plain={plain}
    >
      <input type="hidden" name="_form" value={formToken} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
      <button
        type="submit"
        class={tone}
        aria-label={nameOf(label, of)}
        title={title}
        data-testid={testid}
        {...shortcutAttributes(page, shortcut)}
      >
        {label}
        {shortcut === undefined ? null : <ShortcutKey of={shortcut} />}
      </button>
    </form>
  );
};

/** The accessible name of a control; none where the label is enough. It begins with the label, for voice control. */
export const nameOf = (label: string, of: string | undefined): string | undefined =>
  of === undefined ? undefined : `${label}: ${of}`;

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** As in `ActionFormProps`; only with `rows`. */
  readonly of?: string | undefined;
  readonly value?: string;
  readonly placeholder?: string;
  readonly rows?: number;
  readonly secret?: boolean;
}

/** A labelled input; `rows` make it a text area. */
export const Field = ({ name, label, of, value = '', placeholder, rows, secret }: FieldProps) => {
  if (rows === undefined) {
    return (
      <label class="field">
        <span>{label}</span>
        <input
          name={name}
          type={secret ? 'password' : 'text'}
          autocomplete="off"
          {...{ value, placeholder }}
        />
      </label>
    );
  }
  return (
    <label class="field tall">
      <span>{label}</span>
      <textarea
        name={name}
        rows={rows}
        spellcheck={false}
        placeholder={placeholder}
        aria-label={nameOf(label, of)}
      >
        {`\n${value}`}
      </textarea>
    </label>
  );
};

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly chosen?: string | undefined;
}

export const Choice = ({ name, label, options, chosen }: ChoiceProps) => (
  <label class="field">
    <span>{label}</span>
    <select name={name}>
      {options.map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
