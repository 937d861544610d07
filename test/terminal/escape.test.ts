import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../src/flags/command-line.ts';
import { escapeJson, linesInAscii, makeVisible } from '../../src/terminal/escape.ts';
import { hostileTexts, rawIn } from '../support/hostile-text.ts';

describe('makeVisible', () => {
  it.each(hostileTexts)('leaves nothing raw of %s', (_title, text) => {
    expect(rawIn(makeVisible(text))).toEqual([]);
    expect(makeVisible(text)).not.toMatch(/[\n\t]/);
  });

  it.each([
    ['\x1b[31m', '\\x1b[31m'],
    ['a\rb', 'a\\rb'],
    ['a\nb\tc', 'a\\nb\\tc'],
    ['\u009b', '\\x9b'],
    ['\u202e', '\\u{202e}'],
    ['\u{e0061}', '\\u{e0061}'],
    ['\ud800', '\\u{d800}'],
    ['\x00\x7f', '\\x00\\x7f'],
  ])('%j becomes %j', (text, visible) => {
    expect(makeVisible(text)).toBe(visible);
  });

  it.each(['João Ção', '日本語', '👩🏽', 'R$ 10,50', '❤️', 'a\\b', 'עברית'])('leaves %s as it is', (text) => {
    expect(makeVisible(text)).toBe(text);
  });

  it.each([0, 1, 254, 255, 256, 257])(
    'leaves long words as they are, and nothing raw after %i letters of one',
    (letters) => {
      const word = '日'.repeat(letters);
      expect(makeVisible(`${word}${'😀'.repeat(300)}`)).toBe(`${word}${'😀'.repeat(300)}`);
      expect(makeVisible(`${word}\u{e0041}\u202e日`)).toBe(`${word}\\u{e0041}\\u{202e}日`);
    },
  );

  it('keeps lines and tabs where asked, and nothing else', () => {
    expect(makeVisible('a\nb\tc\rd', { keep: 'lines' })).toBe('a\nb\tc\\rd');
  });

  it('says the same of every character, whether it stands alone or beside an unsafe one', () => {
    const differs: string[] = [];
    for (let code = 0; code <= 0xffff; code++) {
      const character = String.fromCharCode(code);
      for (const options of [{}, { keep: 'lines' } as const])
        if (`${makeVisible(character, options)}\\x07` !== makeVisible(`${character}\x07`, options))
          differs.push(code.toString(16));
    }
    expect(differs).toEqual([]);
  });

  it('leaves nothing raw of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(rawIn(makeVisible(text, { keep: 'lines' }))).toEqual([]);
      }),
    );
  });
});

describe('escapeJson', () => {
  it.each(hostileTexts)('is lossless and leaves nothing raw of %s', (_title, text) => {
    const json = escapeJson(JSON.stringify({ [text]: text }, null, 2));
    expect(rawIn(json)).toEqual([]);
    expect(JSON.parse(json)).toEqual({ [text]: text });
  });

  it('is lossless for any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(escapeJson(JSON.stringify([text])))).toEqual([text]);
      }),
    );
  });
});

describe('escapeJson and what is plain', () => {
  it('says the same of every character, whether it stands alone or beside an unsafe one', () => {
    const differs: string[] = [];
    for (let code = 0; code <= 0xffff; code++) {
      const character = String.fromCharCode(code);
      if (`${escapeJson(character)}\\u0007` !== escapeJson(`${character}\x07`))
        differs.push(code.toString(16));
    }
    expect(differs).toEqual([]);
  });
});

describe('linesInAscii', () => {
  it.each([
    ["pixctl charge resolve 'caf\u00e9 42'", "pixctl charge resolve $'caf\\303\\251 42'"],
    ["PIXCTL_MERCHANT='S\u00e3o' pixctl whoami", "PIXCTL_MERCHANT=$'S\\303\\243o' pixctl whoami"],
    ["-d 'it'\\''s \\ \u00e9'", "-d $'it\\047s \\134 \\303\\251'"],
    ["The caf\u00e9's key: pixctl x 'a b'", "The caf\\u00e9's key: pixctl x 'a b'"],
  ])('%s', (text, shown) => {
    expect(linesInAscii(text)).toBe(shown);
  });

  const shells = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', '']).status === 0);
  it.each(shells)('%s reads the words that were meant, whatever the locale', (shell) => {
    const words = fc
      .sample(fc.string({ unit: 'grapheme', minLength: 1 }), { numRuns: 300, seed: 7 })
      .filter((word) => word === makeVisible(word) && !/^<[a-z ]+>$/.test(word));
    const line = linesInAscii(commandLine(['printf', '%s\\n', ...words, "l'\u00e9t\u00e9 1"], 'linux'));
    expect(line).toMatch(/^[ -~]+$/);
    const env = { ...process.env, LC_ALL: 'C' };
    const said = execFileSync(shell, ['-c', line], { env, encoding: 'utf8' });
    expect(said.split('\n').slice(0, -1)).toEqual([...words, "l'\u00e9t\u00e9 1"]);
  });
});
