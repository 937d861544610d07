/** An error as words: whole, safe, and honest about what is one. */
import { describe, expect, it } from 'vitest';
import { PixctlError, usageError } from '../../src/errors.ts';
import { errorText } from '../../src/terminal/error-text.ts';

const plain = { json: false, colour: false, debug: false };

describe('errorText', () => {
  it.each([
    [
      'the database could not be opened: EACCES; nothing was sent',
      'The database could not be opened: EACCES; nothing was sent.',
    ],
    ['chg_1 is EXPIRED, not PAID.', 'chg_1 is EXPIRED, not PAID.'],
    ['pixctl charge needs a command.', 'pixctl charge needs a command.'],
    ['localhost could not be reached', 'localhost could not be reached.'],
    ['taxId: must be a CPF', 'taxId: must be a CPF.'],
    ['Is that so?', 'Is that so?'],
  ])('%s is a sentence', (message, sentence) => {
    const error = new PixctlError('storage', 'X', message);
    expect(errorText(error, { json: false, colour: false, debug: false })).toBe(`error: ${sentence}`);
  });

  it('says what happened, then what to do', () => {
    expect(errorText(usageError('--amount is missing.', 'Give it.'), plain)).toBe(
      'error: --amount is missing.\n  Give it.',
    );
  });

  it('repeats of a long word that was refused its beginning, and all of what it names otherwise', () => {
    const word = 'x'.repeat(101);
    const hint = `Like "${word}".`;
    const error = usageError(
      `--type "${word}" is none, and the file ${word} is not "${'y'.repeat(101)}".`,
      hint,
    );
    const text = errorText(error, { ...plain, typed: [`--type=a,${word}`] });
    expect(text).toBe(
      `error: --type "${'x'.repeat(100)}..." is none, and the file ${word} is not "${'y'.repeat(101)}".\n  ${hint}`,
    );
    expect(errorText(usageError(`--type "${'x'.repeat(100)}" is none.`), { ...plain, typed: [word] })).toBe(
      `error: --type "${'x'.repeat(100)}" is none.`,
    );
    const kept = new PixctlError('notFound', 'X', `There is no key "${word}".`);
    expect(errorText(kept, { ...plain, typed: [word] })).toBe(`error: There is no key "${word}".`);
  });

  it.each([
    [`-k${'x'.repeat(101)}`, 'x'.repeat(101)],
    [`-k=${'x'.repeat(101)}`, 'x'.repeat(101)],
    [`CHARGE_PAID=http://h/?a=b,${'x'.repeat(101)}`, `http://h/?a=b,${'x'.repeat(101)}`],
    [`--route=CHARGE_PAID=http://h/?a=b,${'x'.repeat(101)}`, `http://h/?a=b,${'x'.repeat(101)}`],
  ])('knows a long value in what was typed: %s', (word, value) => {
    const text = errorText(usageError(`"${value}" is none.`), { ...plain, typed: [word] });
    expect(text).toBe(`error: "${value.slice(0, 100)}..." is none.`);
  });

  it('cuts a long word with quotes or a line break in it at its beginning, not between its quotes', () => {
    const value = `{"note":"${'y'.repeat(150)}"}\n`;
    const text = errorText(usageError(`"${value}" is not key=value, nor is ${JSON.stringify(value)}.`), {
      ...plain,
      typed: ['-F', value],
    });
    const begin = 'y'.repeat(91);
    expect(text).toBe(`error: "{"note":"${begin}..." is not key=value, nor is "{\\"note\\":\\"${begin}...".`);
  });

  it('leaves a line to copy whole, however it is quoted', () => {
    const word = `/x?${'y'.repeat(150)}`;
    const query = `.[] | select(.note == "${'z'.repeat(150)}")`;
    const text = errorText(
      usageError(`There is no command "${word}"; did you mean pixctl api GET "${word}" --jq '${query}'?`),
      { ...plain, typed: [word, query, 'z'.repeat(150)] },
    );
    expect(text).toBe(
      `error: There is no command "${word.slice(0, 100)}..."; did you mean pixctl api GET "${word}" --jq '${query}'?`,
    );
  });

  it('masks a secret in a long word before it is cut', () => {
    const typed = `${'x'.repeat(95)}svc_secretsecret${'.'.repeat(20)}`;
    const text = errorText(usageError(`--type "${typed}" is none.`), { ...plain, typed: [typed] });
    expect(text).toBe(`error: --type "${'x'.repeat(95)}svc_*..." is none.`);
  });

  it('is broken between words on a terminal alone, and in no JSON', () => {
    const error = usageError(
      '--amount is missing, and nothing is asked here.',
      'Give it, as in pixctl charge create --amount 10,50.',
    );
    expect(errorText(error, { ...plain, columns: 44 })).toBe(
      'error: --amount is missing, and nothing is\n       asked here.\n  Give it, as in\n  pixctl charge create --amount 10,50.',
    );
    expect(errorText(error, plain).split('\n')).toHaveLength(2);
    const json = { ...plain, json: true };
    expect(errorText(error, { ...json, columns: 44 })).toBe(errorText(error, json));
    const stopped = new PixctlError(
      'interrupted',
      'STOPPED',
      'Stopped: nothing was sent, and nothing is owed.',
    );
    expect(errorText(stopped, { ...plain, columns: 30 })).toBe(
      'Stopped: nothing was sent, and\nnothing is owed.',
    );
  });

  it('shows times in the zone of tables on a terminal alone, and in no JSON', () => {
    const error = usageError(
      'k-1 was sent at 2026-01-02T03:04:05.000Z.',
      'Ask after 2026-01-02T04:04:05.000Z.',
    );
    const timeZone = 'America/Sao_Paulo';
    expect(errorText(error, { ...plain, columns: 80, timeZone })).toBe(
      'error: k-1 was sent at 2026-01-02 00:04:05 -03:00.\n  Ask after 2026-01-02 01:04:05 -03:00.',
    );
    const said = 'error: k-1 was sent at 2026-01-02T03:04:05.000Z.\n  Ask after 2026-01-02T04:04:05.000Z.';
    expect(errorText(error, { ...plain, timeZone })).toBe(said);
    expect(errorText(error, { ...plain, json: true, columns: 80, timeZone })).toContain(
      '"hint":"Ask after 2026-01-02T04:04:05.000Z."',
    );
  });

  it('rewords the lines to run: those of the hint, and the one that a message guesses', () => {
    const error = usageError('pixctl charge has no "lst"; did you mean pixctl charge list?', 'pixctl help');
    const reword = (text: string) => text.replaceAll('pixctl', 'npx pixctl');
    expect(errorText(error, { ...plain, reword })).toBe(
      'error: pixctl charge has no "lst"; did you mean npx pixctl charge list?\n  npx pixctl help',
    );
  });

  it.each(['interrupted', 'terminated'] as const)('does not call it an error when it was %s', (kind) => {
    expect(errorText(new PixctlError(kind, 'STOPPED', 'Stopped: nothing is owed.'), plain)).toBe(
      'Stopped: nothing is owed.',
    );
  });

  it('with --debug goes down to the first cause, which shows no key either', () => {
    const cause = new Error('whsec_0123456789 at \u001b[31m line 7');
    const error = new PixctlError('unexpected', 'X', 'It broke', { cause: new Error('between', { cause }) });
    const text = errorText(error, { ...plain, debug: true });
    expect(text).toMatch(/^error: It broke\.\n(?:.|\n)*between(?:.|\n)*whsec_\*\*\*\* at \\x1b\[31m line 7/);
    for (const raw of ['0123456789', '\u001b']) expect(text).not.toContain(raw);
    expect(errorText(error, plain)).toBe('error: It broke.');
  });

  it('shows no key, and nothing raw', () => {
    const error = new PixctlError('auth', 'AUTH', 'svc_live_0123456789 \u001b[31mred');
    const text = errorText(error, plain);
    expect(text).not.toContain('0123456789');
    expect(text).not.toContain('\u001b');
  });

  it.each([false, true])(
    'shows no key in a hint either, nor in what it is reworded to (json: %s)',
    (json) => {
      const error = usageError('There is no such profile.', 'pixctl login --profile svc_live_0123456789');
      const reword = (words: string) => `${words} --profile whsec_9876543210`;
      const text = errorText(error, { ...plain, json, reword });
      expect(text).toContain('pixctl login --profile svc_**** --profile whsec_****');
    },
  );

  it('tells a machine which flag was refused, and shows no key there', () => {
    const fieldOf = (message: string) =>
      JSON.parse(errorText(usageError(message), { ...plain, json: true })).error.field;
    expect(fieldOf('--limit takes a whole number.')).toBe('--limit');
    expect(fieldOf('pixctl login has no flag --svc_live_0123456789.')).toBe('--svc_****');
  });

  it('is one JSON object for machines', () => {
    const error = new PixctlError('refused', 'BAD_REQUEST', 'No.', { httpStatus: 400 });
    expect(JSON.parse(errorText(error, { ...plain, json: true }))).toEqual({
      error: { code: 'BAD_REQUEST', message: 'No.', httpStatus: 400, exitCode: 80 },
    });
  });
});
