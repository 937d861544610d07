/** A form that does something: it carries what the guard asks for. */
import type { Child } from 'hono/jsx';
import { useContext } from 'hono/jsx';
import { Key, pressedBy } from './key.tsx';
import { PlaceContext } from './place.ts';

export interface ActProps {
  /** Path below the base. */
  readonly to: string;
  /** What the button says. */
  readonly label: string;
  /** What it does, where the label alone would not tell. */
  readonly title?: string;
  readonly shortcut?: string;
  readonly tone?: 'main' | 'danger';
  readonly fields?: Readonly<Record<string, string>>;
  readonly testid?: string;
  /** Leads to another page, as forms do without script. */
  readonly plain?: boolean;
  /** Inputs before the button. */
  readonly children?: Child;
}

export const Act = ({ to, label, title, shortcut, tone, fields = {}, testid, plain, children }: ActProps) => {
  const place = useContext(PlaceContext);
  const { base, form } = place;
  return (
    <form
      method="post"
      action={`${base}/${to}`}
      class="act"
      data-key={`act-${to}-${label}`}
      data-plain={plain}
    >
      <input type="hidden" name="_form" value={form} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
      <button
        type="submit"
        class={tone}
        aria-label={title}
        data-testid={testid}
        {...pressedBy(place, shortcut)}
      >
        {label}
        {shortcut === undefined ? null : <Key of={shortcut} />}
      </button>
    </form>
  );
};

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly rows?: number;
  readonly secret?: boolean;
}

/** A labelled input; several rows make it a text area. */
export const Field = ({ name, label, value = '', placeholder, rows, secret }: FieldProps) => {
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
      <textarea name={name} rows={rows} spellcheck={false} placeholder={placeholder}>
        {`\n${value}`}
      </textarea>
    </label>
  );
};

export interface ChoiceProps {
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
