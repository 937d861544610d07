/** jq itself, in its thread: what it says, what it may not reach, and how it ends. */
import { describe, expect, it } from 'vitest';
import { createJq, type JqOptions } from '../../src/terminal/jq.ts';

function jqOf(expression: string, options: Partial<JqOptions> = {}) {
  const said: string[] = [];
  const defaults: JqOptions = {
    clock: { sleep: () => new Promise(() => {}) },
    signal: new AbortController().signal,
    onMessage: (text) => void said.push(text),
  };
  return { said, jq: createJq(expression, { ...defaults, ...options }) };
}

const found = (...outputs: string[]) => ({ outputs, error: null });

describe('an expression', () => {
  it.each([
    ['.a', '{"a":1}', ['1']],
    ['.a[]', '{"a":[1,"x",null,{"b":[]}]}', ['1', '"x"', 'null', '{"b":[]}']],
    ['empty', '1', []],
    ['.a\n# a comment at the end', '{"a":1}', ['1']],
    ['def twice: . * 2; .a | twice', '{"a":4}', ['8']],
    ['label $out | 1, break $out, 2', '1', ['1']],
    ['.createdAt | fromdate', '{"createdAt":"2026-01-02T03:04:05Z"}', ['1767323045']],
    ['"\\u001b\\n\\u0085"', '1', ['"\\u001b\\n\u0085"']],
  ])('%j makes of %s what jq makes of it', async (expression, value, outputs) => {
    const { jq } = jqOf(expression);
    expect(await jq.problem()).toBeNull();
    expect(await jq.apply([value])).toEqual([found(...outputs)]);
  });

  it('leaves numbers that it does not change as they came', async () => {
    const numbers = '[9007199254740993,1.10,0.1234567890123456789012345,-0,100000000000000000000]';
    const { jq } = jqOf('., .[0], {amount: .[2]}, sort[-1]');
    expect(await jq.apply([numbers])).toEqual([
      found(numbers, '9007199254740993', '{"amount":0.1234567890123456789012345}', '100000000000000000000'),
    ]);
  });

  it('keeps the values apart, whatever it makes of each', async () => {
    const { jq } = jqOf(
      'if . == 0 then empty elif . == 2 then "two", error("no \\(.)") else ., {"e": .} end',
    );
    expect(await jq.apply(['0', '1', '2', '3'])).toEqual([
      found(),
      found('1', '{"e":1}'),
      { outputs: ['"two"'], error: 'no 2' },
      found('3', '{"e":3}'),
    ]);
  });

  it('takes as many values as there are, a portion at a time', async () => {
    const { jq } = jqOf('.id');
    const values = Array.from({ length: 30 }, (_, id) => JSON.stringify({ id, text: 'x'.repeat(400_000) }));
    expect((await jq.apply(values)).map(({ outputs }) => outputs)).toEqual(
      Array.from({ length: 30 }, (_, id) => [String(id)]),
    );
  });

  it('sees text that jq would refuse, half of a pair, as the replacement character', async () => {
    const { jq } = jqOf('.');
    const texts = ['"\\ud800x\\udfff"', '"\\\\ud800"', '"\\ud83d"', '"\\ud83d\\ude00\\ude00"'];
    expect(await jq.apply(texts)).toEqual(
      ['"\ufffdx\ufffd"', '"\\\\ud800"', '"\ufffd"', '"\ud83d\ude00\ufffd"'].map((text) => found(text)),
    );
  });

  it('says with debug what it sees', async () => {
    const { jq, said } = jqOf('debug | stderr | 1');
    expect(await jq.apply(['{"a":"\\u001b"}'])).toEqual([found('1')]);
    expect(said).toEqual(['["DEBUG:",{"a":"\\u001b"}]\n{"a":"\\u001b"}']);
  });
});

describe('an expression that is wrong', () => {
  it.each([
    ['.a |', 'syntax error, unexpected end of file (line 1, column 4)'],
    ['.a\n| foo', 'foo/0 is not defined (line 2, column 3)'],
    ['foo, bar(1)', 'foo/0 is not defined (line 1, column 1); bar/1 is not defined (line 1, column 6)'],
    ['# nothing', 'Top-level program not given (try ".")'],
    ['import "a" as a; 1', 'module not found: a'],
    // Whole only inside of other brackets.
    ['1) | (2', 'syntax error, unexpected INVALID_CHARACTER, expecting end of file (line 1, column 2)'],
    ['$__prog_args', '$__prog_args is not defined (line 1, column 1)'],
  ])('%j is found without a value', async (expression, problem) => {
    expect(await jqOf(expression).jq.problem()).toBe(problem);
  });

  it('is judged without being run: one that never ends is no problem', async () => {
    expect(await jqOf('def f: f; f').jq.problem()).toBeNull();
  });

  it.each([
    ['.a.b', '{"a":1}', 'Cannot index number with string ("b")'],
    ['error', '"out"', 'out'],
    ['error', 'null', 'null'],
    ['error({a: [1]})', '1', '{"a":[1]}'],
    ['error("two\\nlines")', '1', 'two\nlines'],
  ])('%j on a value says why', async (expression, value, error) => {
    const { jq } = jqOf(expression);
    expect(await jq.problem()).toBeNull();
    expect(await jq.apply([value])).toEqual([{ outputs: [], error }]);
  });
});

describe('an expression cannot', () => {
  it('read the environment, in which a key may be', async () => {
    process.env.PIXCTL_API_KEY = 'svc_test_in_the_environment';
    try {
      const { jq } = jqOf('env, $ENV, (try $ENV.PIXCTL_API_KEY catch .), env.PATH');
      expect(await jq.apply(['1'])).toEqual([found('{}', '{}', 'null', 'null')]);
    } finally {
      delete process.env.PIXCTL_API_KEY;
    }
  });

  it.each(['input', 'inputs', 'first(inputs)'])('take the next value: %s', async (expression) => {
    const error = 'there is no input here: values are handed over one by one';
    expect(await jqOf(expression).jq.apply(['1', '2'])).toEqual([
      { outputs: [], error },
      { outputs: [], error },
    ]);
  });

  it.each(['halt', 'halt_error', 'halt_error(1)'])('leave out what is still to come: %s', async (end) => {
    const error = 'there is no halt here: the next value comes all the same';
    expect(await jqOf(`if . == 1 then ${end} else . end`).jq.apply(['1', '2'])).toEqual([
      { outputs: [], error },
      found('2'),
    ]);
  });

  it('read a file', async () => {
    expect(await jqOf('import "/etc/passwd" as $x; $x').jq.problem()).toMatch(/^module not found/);
  });
});

describe('an expression that asks for too much', () => {
  it('fails on that value alone, and the others come', async () => {
    const { jq } = jqOf('if . == 2 then "x" * (. * 150000000) | length else . end');
    const [one, two, three] = await jq.apply(['1', '2', '3']);
    expect([one, three]).toEqual([found('1'), found('3')]);
    expect(two).toEqual({ outputs: [], error: expect.stringContaining('for want of memory') });
  });

  it('has an end: the outputs for one value are bounded', async () => {
    const { jq } = jqOf('if . == 0 then repeat(1) else range(.) end', { mostOutputs: 5 });
    const outputs = ['0', '1', '2', '3', '4'];
    expect(await jq.apply(['5', '0', '6'])).toEqual([
      found(...outputs),
      { outputs: ['1', '1', '1', '1', '1'], error: 'it has more than 5 outputs for one value' },
      { outputs, error: 'it has more than 5 outputs for one value' },
    ]);
  });

  it('is given up after a signal, and two seconds: the process can be ended', async () => {
    const stop = new AbortController();
    const slept: number[] = [];
    const clock = { sleep: async (ms: number) => void slept.push(ms) };
    const { jq } = jqOf('def f: f; if . == 2 then f else . end', { clock, signal: stop.signal });
    const running = jq.apply(['1', '2']);
    stop.abort('SIGTERM');
    // The two are tried one by one, and only then is it known which of them does not end.
    expect((await running)[1]).toEqual({ outputs: [], error: 'it had not ended 2 s after SIGTERM' });
    expect(new Set(slept)).toEqual(new Set([2_000]));
  });

  it('is applied even after a signal, if it ends: a listener shows what it has heard', async () => {
    const signal = AbortSignal.abort('SIGINT');
    expect(await jqOf('.a', { signal }).jq.apply(['{"a":1}'])).toEqual([found('1')]);
  });
});
