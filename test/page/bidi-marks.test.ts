/** Marks that turn the direction of text, from a page's texts to what a form or the clipboard carries. */
import { expect, it } from 'vitest';
import { prettyJson } from '../../src/page/attempt.ts';
import { showBidiMarks } from '../../src/page/bidi-marks.ts';

it.each([
  ['<p>\u202e05,01 $R</p>', '<p>\\u{202e}05,01 $R</p>'],
  ['<b>a\u200eb</b>\u2066c\u2069', '<b>a\\u{200e}b</b>\\u{2066}c\\u{2069}'],
  ['<td>\u061c\u200f\u202a\u202c</td>', '<td>\\u{61c}\\u{200f}\\u{202a}\\u{202c}</td>'],
  // A joined emoji and letters that are written from the right are as they came.
  [
    '<p>\u{1f469}\u200d\u{1f680} \u05e9\u05dc\u05d5\u05dd</p>',
    '<p>\u{1f469}\u200d\u{1f680} \u05e9\u05dc\u05d5\u05dd</p>',
  ],
])('are shown in %j', (html, shown) => {
  expect(showBidiMarks(html)).toBe(shown);
});

it('stay in what is copied, and in what a form carries', () => {
  const html =
    '<button data-copy="\u202ea">b</button><input value="\u202e"/><textarea name="x">\n\u202ea &lt;</textarea>';
  expect(showBidiMarks(html)).toBe(html);
  expect(showBidiMarks(`<p>\u202e</p>${html}<p>\u202e</p>`)).toBe(`<p>\\u{202e}</p>${html}<p>\\u{202e}</p>`);
});

it('are the escapes of JSON in what is JSON, so that an edited copy tells them', () => {
  const shown = prettyJson('{"a":"x\u202ey","b\u2069":"\\u200f"}');
  expect(shown).toBe('{\n  "a": "x\\u202ey",\n  "b\\u2069": "\\u200f"\n}');
  expect(JSON.parse(shown)).toEqual({ a: 'x\u202ey', 'b\u2069': '\u200f' });
});
