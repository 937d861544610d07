/** Keys of one character that press a control; a person can turn them off, for all pages below one path. */
import { useContext } from 'hono/jsx';
import { PageContext, type PageInfo } from './page-context.ts';

/** The cookie that remembers that they are off: unlike other storage it outlives a change of port. */
export const keysCookie = 'pixctl-keys';

/** The attributes of a control that `key` presses; none where it has no key, or keys are off. */
export const shortcutAttributes = ({ keys }: PageInfo, key: string | undefined) =>
  keys && key !== undefined ? { 'data-shortcut': key, 'aria-keyshortcuts': key } : {};

/** On a button, for eyes alone: to assistive technology `aria-keyshortcuts` tells it, and the name is the label. */
export const ShortcutKey = ({ of }: { of: string }) =>
  useContext(PageContext).keys ? (
    <span aria-hidden="true">
      <kbd>{of.toUpperCase()}</kbd>
    </span>
  ) : null;
