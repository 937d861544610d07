/** Sending an event again from its page: signed anew, as it came, or edited. `to`: path of the event or delivery. */
import { Act, type ActProps, Field } from './act.tsx';

interface ReplayProps extends Pick<ActProps, 'to' | 'fields' | 'tone'> {
  /** Whether keys press them: those of one delivery of a page. */
  readonly keys?: boolean;
}

export const ReplayActs = ({ to, fields = {}, tone, keys = true }: ReplayProps) => (
  <>
    <Act
      {...{ to: `${to}/replay`, label: 'Replay, signed again', testid: 'replay' }}
      {...(keys && { shortcut: 'r' })}
      {...(tone && { tone })}
      fields={{ ...fields, how: 'resigned' }}
    />
    <Act
      {...{ to: `${to}/replay`, label: 'Replay, identical' }}
      {...(keys && { shortcut: 'i' })}
      fields={{ ...fields, how: 'identical' }}
    />
  </>
);

/** `dataKey` tells its part of the page, so that it stays open when the page is rendered again. */
export const EditAndReplay = (it: Record<'to' | 'dataKey' | 'name' | 'label' | 'value', string>) => (
  <details class="edit" data-key={it.dataKey}>
    <summary>Edit and replay</summary>
    <Act to={`${it.to}/edit`} label="Send the edited event" testid="send-edited">
      <Field name={it.name} label={it.label} rows={10} value={it.value} />
    </Act>
  </details>
);
