import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { hideSecrets, PixctlError } from '../../src/errors.ts';
import { errorText } from '../../src/terminal/error-text.ts';
import { createPrompter } from '../../src/terminal/inquirer-prompter.ts';
import { hostileTexts, rawIn } from '../support/hostile-text.ts';
import { memoryIo } from '../support/memory-io.ts';

/** What inquirer draws with: moves, erasures, colours, hiding the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the library's own sequences are taken out
const libraryDrawing = /\x1b\[\??[0-9;]*[A-DGHJKhlmsu]|\r/g;

/** A terminal whose keys are typed by the test, and whose screen is kept. */
function terminal() {
  const stdin = new PassThrough();
  // The library ends any other after a question.
  const stderr = Object.assign(new PassThrough(), { _isStdio: true });
  let screen = '';
  stderr.on('data', (chunk) => {
    screen += chunk;
  });
  const io = { ...memoryIo(), stdin, stderr, stdinIsTerminal: true, stderrIsTerminal: true };
  /** Types, or does, something once the question is there. */
  const whenAsked = (question: string, act: () => void) =>
    stderr.on('data', function look(chunk) {
      if (!String(chunk).includes(question)) return;
      stderr.off('data', look);
      setImmediate(act);
    });
  return { io, stdin, screen: () => screen, whenAsked };
}

describe('questions', () => {
  it.each([
    ['stdin is no terminal', { stdinIsTerminal: false, stderrIsTerminal: true }, false],
    ['stderr is no terminal', { stdinIsTerminal: true, stderrIsTerminal: false }, false],
    ['--no-input was given', { stdinIsTerminal: true, stderrIsTerminal: true }, true],
  ])('are not asked when %s: a usage error says what is missing', async (_title, terminals, noInput) => {
    const prompter = createPrompter({ ...memoryIo(), ...terminals }, { noInput });
    expect(prompter.canAsk).toBe(false);
    await expect(prompter.input({ message: 'Amount' })).rejects.toMatchObject({
      kind: 'usage',
      message: 'An answer is missing (Amount), and there is nobody to ask. Nothing was sent.',
    });
  });

  it('are drawn on stderr and answered by typing, with validation', async () => {
    const { io, stdin, screen, whenAsked } = terminal();
    const prompter = createPrompter(io, { noInput: false });
    const answer = prompter.input({
      message: 'Amount',
      validate: (text) => /^\d+$/.test(text) || 'digits only',
    });
    whenAsked('Amount', () => stdin.write('1050\n'));
    expect(await answer).toBe('1050');
    expect(screen()).toContain('Amount');
  });

  it.each(['SIGTERM', 'SIGHUP'])('end with terminated when the run is, by %s', async (signal) => {
    const { io } = terminal();
    const options = { noInput: false, signal: AbortSignal.abort(signal) };
    await expect(createPrompter(io, options).confirm({ message: 'Pay?' })).rejects.toMatchObject({
      kind: 'terminated',
      exit: 143,
    });
  });

  it('end with terminated when the terminal does, also when it has before they are asked', async () => {
    const { io, stdin } = terminal();
    const prompter = createPrompter(io, { noInput: false });
    const answer = prompter.confirm({ message: 'Pay?' });
    setImmediate(() => stdin.end());
    await expect(answer).rejects.toMatchObject({ kind: 'terminated' });
    await expect(prompter.confirm({ message: 'Pay?' })).rejects.toMatchObject({ kind: 'terminated' });
  });

  it('outlive a terminal that refuses to leave the raw mode', async () => {
    const { io, stdin } = terminal();
    Object.assign(stdin, { setRawMode: (raw: boolean) => raw || stdin.emit('error', new Error('EIO')) });
    const answer = createPrompter(io, { noInput: false }).confirm({ message: 'Pay?' });
    setImmediate(() => stdin.end());
    await expect(answer).rejects.toMatchObject({ kind: 'terminated' });
  });

  it('are read on after Ctrl-Z and fg, when readline pauses and is raw again', async () => {
    const { io, stdin, whenAsked } = terminal();
    Object.assign(stdin, { isRaw: true });
    const answer = createPrompter(io, { noInput: false }).input({ message: 'Amount' });
    whenAsked('Amount', () => {
      stdin.pause();
      stdin.write('1050\n');
    });
    expect(await answer).toBe('1050');
  });

  it('leave the terminal alone after an answer that was typed before fg', async () => {
    const { io, stdin, whenAsked } = terminal();
    const raw: boolean[] = [];
    Object.assign(stdin, { isRaw: false, setRawMode: (on: boolean) => raw.push(on) });
    const answer = createPrompter(io, { noInput: false }).input({ message: 'Amount' });
    whenAsked('Amount', () => stdin.write('1050\n'));
    expect(await answer).toBe('1050');
    // Only now does readline hear that the process goes on.
    Object.assign(stdin, { isRaw: true });
    await new Promise((resolve) => setImmediate(resolve));
    expect(stdin.isPaused()).toBe(true);
    expect(raw.at(-1)).toBe(false);
    // After the discarding, by readline, and now.
    expect(raw.filter((on) => !on)).toHaveLength(3);
  });

  it('end with interrupted when the run is', async () => {
    const { io } = terminal();
    const controller = new AbortController();
    const answer = createPrompter(io, { noInput: false, signal: controller.signal }).confirm({
      message: 'Pay?',
    });
    setImmediate(() => controller.abort());
    await expect(answer).rejects.toMatchObject({ kind: 'interrupted', exit: 130 });
  });

  it('end with interrupted at Ctrl-D, at the second of them too', async () => {
    const { io, stdin, whenAsked } = terminal();
    const { confirm } = createPrompter(io, { noInput: false });
    const first = confirm({ message: 'Pay?' });
    whenAsked('Pay', () => stdin.write('y\n'));
    expect(await first).toBe(true);
    const second = confirm({ message: 'Really?' });
    whenAsked('Really', () => stdin.write('\x04'));
    await expect(second).rejects.toMatchObject({ kind: 'interrupted', exit: 130 });
  });

  it.each([
    ['input', { validate: () => 'n\u00e3o' }, 'n\\u00e3o'],
    ['secret', {}, 'Jo\\u00e3o'],
    ['confirm', {}, 'Jo\\u00e3o'],
    ['select', { choices: [{ value: 'a', name: '\u00db2J' }] }, '\\u00db2J'],
    ['checkbox', { choices: [{ value: 'a', name: '\u00db2J', checked: true }] }, '[x] \\u00db2J'],
  ] as const)('draw %s in ASCII for a terminal that shows nothing else', async (kind, more, shown) => {
    const { io, stdin, screen, whenAsked } = terminal();
    const stopped = new AbortController();
    const prompter = createPrompter(io, { noInput: false, ascii: true, signal: stopped.signal });
    const answer = prompter[kind]({ message: 'Who is Jo\u00e3o?', ...more } as never).catch(() => {});
    whenAsked('Who', () => stdin.write('x\r'));
    await expect.poll(() => screen().replace(libraryDrawing, '')).toContain(shown);
    stopped.abort('SIGINT');
    await answer;
    expect(screen()).toMatch(/^\p{ASCII}+$/u);
  });

  it.each(hostileTexts.filter(([title]) => title !== 'a line and a tab'))(
    'show nothing raw of %s',
    async (_title, text) => {
      const { io, stdin, screen, whenAsked } = terminal();
      const answer = createPrompter(io, { noInput: false }).select({
        message: `Which ${text}?`,
        choices: [
          { value: 'a', name: `one ${text}` },
          { value: 'b', name: 'two' },
        ],
      });
      whenAsked('Which', () => stdin.write('\n'));
      await answer;
      const drawn = screen().replace(libraryDrawing, '');
      expect(rawIn(drawn)).toEqual([]);
      if (!text.includes('\x1b[')) expect(screen()).not.toContain(text);
    },
  );
});

describe('errors', () => {
  it.each(hostileTexts)('show nothing raw of %s, in words and in json', (_title, text) => {
    const error = new PixctlError('refused', 'X', `The service says: ${text}`, {
      hint: text,
      serviceCode: text,
    });
    for (const json of [false, true]) {
      expect(rawIn(errorText(error, { json, colour: false, debug: true }))).toEqual([]);
    }
  });

  it('are one json object that can be read back', () => {
    const error = new PixctlError('refused', 'BAD', 'no \u009b31m', { hint: 'h', httpStatus: 400 });
    expect(JSON.parse(errorText(error, { json: true, colour: false, debug: false }))).toEqual({
      error: { code: 'BAD', message: 'no \u009b31m', hint: 'h', httpStatus: 400, exitCode: 80 },
    });
  });

  it.each([
    ['key svc_abcdef123 here', 'key svc_**** here'],
    ['svc_sandbox_1234567', 'svc_****'],
    ['whsec_test_0123456789', 'whsec_****'],
    ['/x?as=Bearer%20svc_live_0123456789&so=1', '/x?as=Bearer%20svc_****&so=1'],
    ['/x?token%3DeyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '/x?token%3DeyJ****'],
    ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'Bearer eyJ****'],
    ['chg_0001 and evt_0001', 'chg_0001 and evt_0001'],
  ])('hide secrets: %j', (text, hidden) => {
    expect(hideSecrets(text)).toBe(hidden);
  });

  it('does not read a long text through again from each beginning of a token', () => {
    const text = 'eyJ'.repeat(400_000);
    expect(hideSecrets(text)).toBe(text);
  });
});
