/** The executable's own `require`: what it answers for, and that compiled code is a help and never a condition. */
import { join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { wrapModule } from '../../scripts/bundle-plugins.ts';
import { type Asset, compile, createChunkLoader } from '../../scripts/executable-chunks.ts';

const loading = (texts: Record<string, string>, compiled?: (name: string, source: Asset) => Buffer) => {
  const told: string[] = [];
  const source: Asset = (name) => (texts[name] === undefined ? undefined : wrapModule(texts[name]));
  const load = createChunkLoader(
    (name) => {
      if (name === 'bytes') return Buffer.from([1, 200]);
      return name.endsWith('.compiled') ? compiled?.(name.replace('.compiled', ''), source) : source(name);
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

  it('are Latin-1: the build writes what lies beyond in other words', () => {
    expect(loading({ 'a.cjs': 'exports.text = "n\u00e3o \\u2588";' }).load('a.cjs')).toEqual({
      text: 'não █',
    });
    expect(() => wrapModule('exports.text = "█";')).toThrow('a chunk is not Latin-1');
  });

  it('get the other things that lie in the executable as bytes', () => {
    const { load } = loading({ 'a.cjs': 'exports.bytes = [...require("asset:bytes")];' });
    expect(load('a.cjs')).toEqual({ bytes: [1, 200] });
  });

  it('reach what is part of Node, and nothing that lies on the disk', () => {
    const { load } = loading({
      'a.cjs': 'exports.join = require("node:path").join("a", "b"); exports.old = typeof require("events");',
      'b.cjs': 'require("vitest");',
    });
    expect(load('a.cjs')).toEqual({ join: join('a', 'b'), old: 'function' });
    const missing = expect.objectContaining({ code: 'MODULE_NOT_FOUND' });
    expect(() => load('b.cjs')).toThrow(missing);
    expect(() => load('c.cjs')).toThrow(missing);
  });

  it('take the compiled code that was made of them', () => {
    const { load, told } = loading({ 'a.cjs': 'exports.text = "taken";' }, (name, source) =>
      compile(name, source).createCachedData(),
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
