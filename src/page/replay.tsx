/** Sends an event again from its page: newly signed, as it came, or edited. `to`: path of the event or delivery. */
import { ActionForm, type ActionFormProps, Field, nameOf } from './form.tsx';

interface ReplayProps extends Pick<ActionFormProps, 'to' | 'fields' | 'tone' | 'of'> {
  /** Whether keys press these buttons: only those of one delivery on a page. */
  readonly keys?: boolean;
}

export const ReplayButtons = ({ to, of, fields = {}, tone, keys = true }: ReplayProps) => (
  <>
    <ActionForm
      {...{ to: `${to}/replay`, label: 'Replay, signed again', of, testid: 'replay' }}
      {...(keys && { shortcut: 'r' })}
      {...(tone && { tone })}
      fields={{ ...fields, how: 'resigned' }}
    />
    <ActionForm
      {...{ to: `${to}/replay`, label: 'Replay, identical', of }}
      {...(keys && { shortcut: 'i' })}
      fields={{ ...fields, how: 'identical' }}
    />
  </>
);

interface EditProps extends Record<'to' | 'name' | 'label' | 'value', string>, Pick<ActionFormProps, 'of'> {
  /** Identifies its part of the page, so that it stays open when the page is rendered again. */
  readonly dataKey: string;
}

export const EditAndReplay = ({ to, of, dataKey, name, label, value }: EditProps) => (
  <details class="edit" data-key={dataKey}>
    <summary aria-label={nameOf('Edit and replay', of)}>Edit and replay</summary>
    <ActionForm to={`${to}/edit`} label="Send the edited event" of={of} testid="send-edited">
      <Field rows={10} {...{ name, label, of, value }} />
    </ActionForm>
  </details>
);
