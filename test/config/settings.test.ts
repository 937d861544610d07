import { describe, expect, it } from 'vitest';
import { settingOf } from '../../src/config/settings.ts';

describe('a setting', () => {
  it.each([
    ['timeout', '30s'],
    ['timeout', '5'],
    ['timeZone', 'America/Sao_Paulo'],
    ['timeZone', 'UTC'],
    ['keychain', 'on'],
    ['keychain', 'off'],
  ])('%s may be %s', (name, text) => {
    expect(settingOf(name).parse(text)).toBe(text);
  });

  it.each([
    ['timeout', '0'],
    ['timeout', 'soon'],
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', ''],
    ['keychain', 'On'],
    ['keychain', ''],
  ])('%s may not be "%s"', (name, text) => {
    expect(() => settingOf(name).parse(text)).toThrow(expect.objectContaining({ exit: 64 }));
  });

  it.each(['policy', 'constructor', '__proto__', ''])('"%s" is none', (name) => {
    expect(() => settingOf(name)).toThrow(expect.objectContaining({ exit: 64 }));
  });
});
