/** What a hostile counterpart may put into any string. Each would do something to a terminal if written raw. */
export const hostileTexts: readonly (readonly [title: string, text: string])[] = [
  ['a colour', '\x1b[31mred'],
  ['a cleared screen', '\x1b[2J\x1b[H'],
  ['a moved cursor', 'a\x1b[1A\x1b[2Kb'],
  ['a window title', '\x1b]0;owned\x07'],
  ['a hyperlink (OSC 8)', '\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\'],
  ['a written clipboard (OSC 52)', '\x1b]52;c;cm0gLXJmIH4K\x07'],
  ['a device control string', '\x1bP+q544e\x1b\\'],
  ['CSI in one byte (C1)', '\u009b31mred'],
  ['OSC in one byte (C1)', '\u009d0;owned\u009c'],
  ['a carriage return', 'R$ 1,00\rR$ 9.999,00'],
  ['backspaces', '1000\b\b\b\b9'],
  ['a bell', '\x07'],
  ['NUL and DEL', 'a\0b\x7fc'],
  ['a bidi override', 'exe.\u202egnp.txt'],
  ['bidi isolates', '\u2066\u2067\u2068x\u2069'],
  ['marks of direction', '\u200e\u200f\u061c'],
  ['zero-width text', 'pay\u200b\u200c\u200d\u2060\ufeffpal'],
  ['tag characters', 'a\u{e0061}\u{e0062}'],
  ['line separators', 'a\u2028b\u2029c\u0085d'],
  ['a lone surrogate', 'a\ud800b'],
  ['a soft hyphen and fillers', 'a\u00adb\u115f\u3164\uffa0'],
  ['a line and a tab', 'one\ntwo\tthree'],
];

/** All of it, in one text. */
export const allHostileText = hostileTexts.map(([, text]) => text).join('|');

/** Nothing in `text` that a terminal would obey, but for newline, tab and our own colours. */
export const rawIn = (text: string): string[] =>
  [
    ...text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours are looked for
      .replace(/\x1b\[[0-9;]*m/g, '')
      .matchAll(/[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]--[\n\t]]/gv),
  ].map(([character]) => `U+${character.codePointAt(0)?.toString(16)}`);
