/** The executable's own `require`: what it answers for, and that compiled code is a help and never a condition. */
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { chunkLoader, compile, packSource } from '../../scripts/executable-chunks.ts';

const loading = (texts: Record<string, string>, compiled?: (source: Buffer, name: string) => Buffer) => {
  const told: string[] = [];
  const load = chunkLoader(
    (name) => {
      const source = packSource(texts[name] ?? '');
      return { source, compiled: compiled?.(source, name) };
    },
    (name, script) => told.push(`${name} ${script.cachedDataRejected === true ? 'refused' : 'taken'}`),
  );
  return { load, told };
};

describe('the chunks of the executable', () => {
  it('find each other without folders, and are run once', () => {
    const { load, told } = loading({
      'main.cjs': 'exports.sum = require("./chunks/a.cjs").one + require("../b.cjs").two;',
      'a.cjs': 'exports.one = 1; exports.b = require("./b.cjs");',
      'b.cjs': 'exports.two = 2;',
    });
    expect(load('main.cjs')).toEqual({ sum: 3 });
    expect(load('a.cjs')).toEqual({ one: 1, b: { two: 2 } });
    expect(told).toEqual(['main.cjs taken', 'a.cjs taken', 'b.cjs taken']);
  });

  it('may need each other in a circle', () => {
    const { load } = loading({
      'a.cjs': 'exports.name = "a"; exports.seen = require("./b.cjs").seen;',
      'b.cjs': 'exports.seen = require("./a.cjs").name;',
    });
    expect(load('a.cjs')).toEqual({ name: 'a', seen: 'a' });
  });

  it.each([
    ['of plain letters', 'exports.text = "R$ 10,50"; // a comment', 'R$ 10,50'],
    ['with letters of Latin-1', 'exports.text = "não · é";', 'não · é'],
    ['with other letters, and pairs', 'exports.text = "█ … 日本 \u{1f600}";', '█ … 日本 \u{1f600}'],
  ])('keep a text %s as it is', (_title, text, expected) => {
    expect(loading({ 'a.cjs': text }).load('a.cjs')).toEqual({ text: expected });
  });

  it('reach what is part of Node, and nothing that lies on the disk', () => {
    const { load } = loading({
      'a.cjs': 'exports.join = require("node:path").join("a", "b"); exports.old = typeof require("events");',
      'b.cjs': 'require("vitest");',
    });
    expect(load('a.cjs')).toEqual({ join: 'a/b', old: 'function' });
    expect(() => load('b.cjs')).toThrow(expect.objectContaining({ code: 'MODULE_NOT_FOUND' }));
  });

  it('take the compiled code that was made of them', () => {
    const { load, told } = loading({ 'a.cjs': 'exports.text = "taken";' }, (source, name) =>
      compile(name, { source, compiled: undefined }).createCachedData(),
    );
    expect(load('a.cjs')).toEqual({ text: 'taken' });
    expect(told).toEqual(['a.cjs taken']);
  });

  it.each([
    ['rubbish', () => Buffer.alloc(200, 7)],
    ['made of another text', () => new Script('(function () { return "another" })').createCachedData()],
  ])('are compiled anew where the compiled code is %s', (title, compiled) => {
    // Each its own text: V8 remembers what it has compiled once, and then looks at no compiled code.
    const { load, told } = loading({ 'a.cjs': `exports.text = "ours, not ${title}";` }, compiled);
    expect(load('a.cjs')).toEqual({ text: `ours, not ${title}` });
    expect(told).toEqual(['a.cjs refused']);
  });
});
