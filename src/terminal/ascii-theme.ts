/** What the library draws around a question, for a terminal that shows ASCII alone: what it draws itself is not. */
import { inAscii } from './escape.ts';
import { paint } from './paint.ts';

/** Its own hints, as `[['↑↓', 'navigate'], ['⏎', 'select']]`. */
type KeysHelp = readonly (readonly [key: string, action: string])[];

const keyNames: Readonly<Record<string, string>> = { '↑↓': 'up/down', '⏎': 'enter' };

/** For every kind of question; each takes of it what it has. */
export const asciiTheme = {
  prefix: { idle: paint('blue', '?', true), done: paint('green', 'ok', true) },
  spinner: { frames: ['-', '\\', '|', '/'] },
  icon: { cursor: '>', checked: paint('green', '[x]', true), unchecked: '[ ]' },
  style: {
    // What `validate` says, which quotes what was typed.
    error: (text: string) => paint('red', `> ${inAscii(text)}`, true),
    keysHelpTip: (keys: KeysHelp) => keys.map(([key, does]) => `${keyNames[key] ?? key} ${does}`).join(', '),
  },
};
