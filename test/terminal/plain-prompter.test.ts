import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createPlainPrompter } from '../../src/terminal/plain-prompter.ts';
import { hostileTexts, rawIn } from '../support/hostile-text.ts';
import { memoryIo } from '../support/memory-io.ts';

/** A terminal whose lines are typed by the test, one at each question. */
function terminal(lines: readonly string[] = [], raw?: boolean[]) {
  const stdin = new PassThrough();
  const stderr = new PassThrough();
  let screen = '';
  const waiting = [...lines];
  stderr.on('data', (chunk) => {
    screen += chunk;
    const line = String(chunk).endsWith(': ') ? waiting.shift() : undefined;
    if (line !== undefined) setImmediate(() => stdin.write(line));
  });
  if (raw !== undefined) Object.assign(stdin, { setRawMode: (on: boolean) => raw.push(on) });
  const io = { ...memoryIo(), stdin, stderr, stdinIsTerminal: true, stderrIsTerminal: true };
  return { stdin, screen: () => screen, prompter: createPlainPrompter(io, { noInput: false }), io };
}

const choices = [
  { value: 'a', name: 'One' },
  { value: 'b', name: 'Two', checked: true },
  { value: 'c', name: 'Three' },
] as const;

describe('questions of a terminal that moves no cursor', () => {
  it('are lines, asked again until the answer is one, with what is wrong', async () => {
    const { prompter, screen } = terminal(['x\n', '10,50\n']);
    const validate = (text: string) => /^\d+,\d\d$/.test(text) || 'An amount is like 10,50.';
    expect(await prompter.input({ message: 'Amount', validate })).toBe('10,50');
    expect(screen()).toBe('Amount: An amount is like 10,50.\nAmount: ');
  });

  it('have what is preset where the line is empty', async () => {
    const { prompter, screen } = terminal(['\n', '\n', '\n']);
    expect(await prompter.confirm({ message: 'Pay?' })).toBe(false);
    expect(await prompter.confirm({ message: 'Keep it?', default: true })).toBe(true);
    expect(await prompter.checkbox({ message: 'Which?', choices })).toEqual(['b']);
    expect(screen()).toContain('Pay? (y/N): Keep it? (Y/n): Which?\n  1  One\n  2  Two\n');
  });

  it.each([
    ['y\n', true],
    [' YES \n', true],
    ['n\n', false],
    ['No\n', false],
  ])('take %j for what it says', async (typed, agreed) => {
    expect(await terminal([typed]).prompter.confirm({ message: 'Pay?' })).toBe(agreed);
  });

  it('do not take for an answer what was typed before they were asked', async () => {
    const { prompter, stdin, screen } = terminal(['maria@example.com\ny\n', 'n\n']);
    expect(await prompter.input({ message: 'To whom' })).toBe('maria@example.com');
    stdin.write('y\n');
    stdin.write('y\n');
    expect(await prompter.confirm({ message: 'Pay?' })).toBe(false);
    expect(screen()).toBe('To whom: Pay? (y/N): ');
  });

  it('may be answered as soon as anything of them is on the screen, also when they are asked again', async () => {
    const { prompter, stdin, io } = terminal();
    const answers: [string, string][] = [
      ['Which?', '9\n'],
      ['Answer with a number from 1 to 3.', '2\n'],
    ];
    io.stderr.on('data', (chunk) => {
      if (String(chunk).includes(answers[0]?.[0] ?? '\0')) stdin.write(answers.shift()?.[1] ?? '');
    });
    expect(await prompter.select({ message: 'Which?', choices })).toBe('b');
  }, 10_000);

  it('take nothing else for a yes or a no', async () => {
    const { prompter, screen } = terminal(['sim\n', 'yy\n', 'n\n']);
    expect(await prompter.confirm({ message: 'Pay?', default: true })).toBe(false);
    expect(screen().match(/Answer y or n\./g)).toHaveLength(2);
  });

  it('have their choices chosen by number', async () => {
    const one = terminal(['0\n', '4\n', 'Two\n', ' 2 \n']);
    expect(await one.prompter.select({ message: 'Which?', choices })).toBe('b');
    expect(one.screen().match(/Answer with a number from 1 to 3\./g)).toHaveLength(3);
    const validate = (values: readonly string[]) => values.length > 1 || 'At least two.';
    const several = terminal(['1\n', '3, 1, 3\n']);
    expect(await several.prompter.checkbox({ message: 'Which?', choices, validate })).toEqual(['c', 'a']);
    expect(several.screen()).toContain('At least two.');
  });

  it('do not show a secret, in whatever pieces its keys come, and let it be corrected', async () => {
    const raw: boolean[] = [];
    const { prompter, screen, stdin, io } = terminal([], raw);
    const answer = prompter.secret({ message: 'API key' });
    await once(io.stderr, 'data');
    raw.length = 0;
    const typed = Buffer.from('svc_é1\x7f2\r');
    for (const byte of typed) stdin.write(Buffer.from([byte]));
    expect(await answer).toBe('svc_é2');
    expect(screen()).toBe('API key (not shown): \n');
    // It was made raw before the question was written.
    expect(raw).toEqual([false]);
  });

  it.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('end with interrupted at %s in a secret, and the terminal is as it was', async (_, key) => {
    const raw: boolean[] = [];
    const { prompter } = terminal([`svc_1${key}\r`], raw);
    await expect(prompter.secret({ message: 'API key' })).rejects.toMatchObject({ kind: 'interrupted' });
    expect(raw).toEqual([true, false, true, false]);
  });

  it('do not take an unfinished line for an answer', async () => {
    const { prompter, stdin, io } = terminal();
    const answer = prompter.confirm({ message: 'Pay?' });
    io.stderr.once('data', () => stdin.end('y'));
    await expect(answer).rejects.toMatchObject({ kind: 'interrupted', exit: 130 });
    await expect(prompter.confirm({ message: 'Pay?' })).rejects.toMatchObject({ kind: 'interrupted' });
  });

  it.each([
    ['SIGINT', 'interrupted'],
    ['SIGTERM', 'terminated'],
  ])('end at %s, before and while they are asked', async (signal, kind) => {
    const { io } = terminal();
    const controller = new AbortController();
    const prompter = createPlainPrompter(io, { noInput: false, signal: controller.signal });
    const answer = prompter.confirm({ message: 'Pay?' });
    setImmediate(() => controller.abort(signal));
    await expect(answer).rejects.toMatchObject({ kind });
    await expect(prompter.confirm({ message: 'Pay?' })).rejects.toMatchObject({ kind });
  });

  it('end with terminated when the terminal fails', async () => {
    const { prompter, stdin } = terminal();
    const answer = prompter.confirm({ message: 'Pay?' });
    setImmediate(() => stdin.destroy(Object.assign(new Error('read EIO'), { code: 'EIO' })));
    await expect(answer).rejects.toMatchObject({ kind: 'terminated', exit: 143 });
  });

  it('are not asked where nobody is', async () => {
    const { io } = terminal();
    const prompter = createPlainPrompter(io, { noInput: true });
    expect(prompter.canAsk).toBe(false);
    await expect(prompter.select({ message: 'Which?', choices })).rejects.toMatchObject({ kind: 'usage' });
  });

  it.each(hostileTexts.filter(([title]) => title !== 'a line and a tab'))(
    'show nothing raw of %s',
    async (_title, text) => {
      const { prompter, screen } = terminal(['1\n']);
      await prompter.select({ message: `Which ${text}?`, choices: [{ value: 'a', name: `one ${text}` }] });
      expect(rawIn(screen())).toEqual([]);
    },
  );
});
