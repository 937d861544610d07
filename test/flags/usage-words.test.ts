import { describe, expect, it } from 'vitest';
import { PixctlError } from '../../src/errors.ts';
import { createProgram } from '../../src/program.ts';
import type { Runtime } from '../../src/runtime.ts';
import type { Io } from '../../src/terminal/io.ts';

const refusal = async (line: string): Promise<PixctlError> => {
  const io = { size: () => ({ columns: 80, rows: 24 }), write: async () => {} } as unknown as Io;
  const program = await createProgram({ io } as Runtime, line.split(' '));
  try {
    await program.parseAsync(line.split(' '), { from: 'user' });
  } catch (error) {
    if (error instanceof PixctlError) return error;
    throw error;
  }
  throw new Error(`not refused: ${line}`);
};

describe('a refused command line says what is wrong, what may have been meant, and where the help is', () => {
  it.each([
    [
      'charge create --amout 5',
      'pixctl charge create has no flag --amout; did you mean --amount?',
      'pixctl charge create',
    ],
    ['charge list --xyzzy', 'pixctl charge list has no flag --xyzzy.', 'pixctl charge list'],
    [
      'charge crate',
      'pixctl charge has no command "crate"; did you mean pixctl charge create?',
      'pixctl charge',
    ],
    ['charge list get', 'pixctl charge list takes no argument, not 1: get.', 'pixctl charge list'],
    ['whoam', 'pixctl has no command "whoam"; did you mean pixctl whoami?', 'pixctl'],
    ['xyzzy', 'pixctl has no command "xyzzy".', 'pixctl'],
    ['version', 'pixctl has no command "version"; did you mean pixctl --version?', 'pixctl'],
    ['refund chg_1', 'pixctl has no command "refund"; did you mean pixctl charge refund?', 'pixctl'],
    ['charge ls', 'pixctl charge has no command "ls"; did you mean pixctl charge list?', 'pixctl charge'],
    [
      'customer show',
      'pixctl customer has no command "show"; did you mean pixctl customer get?',
      'pixctl customer',
    ],
    [
      'webhook inbox ls',
      'pixctl webhook inbox has no command "ls"; did you mean pixctl webhook inbox list?',
      'pixctl webhook inbox list',
    ],
    ['charge list --output xml', '--output takes one of table, json, ndjson, csv, not "xml".', 'pixctl'],
    ['complte', 'pixctl has no command "complte".', 'pixctl'],
    ['charge get', '<id> is missing.', 'pixctl charge get'],
    ['charge get a b', 'pixctl charge get takes 1 argument, not 2: a, b.', 'pixctl charge get'],
    ['--json charge get a b', 'pixctl charge get takes 1 argument, not 2: a, b.', 'pixctl charge get'],
    [
      'charge list --json=id,status',
      '--json takes no fields; they are chosen with --fields id,status.',
      'pixctl charge list',
    ],
    [
      'charge list --json id,status',
      '--json takes no fields; they are chosen with --fields id,status.',
      'pixctl charge list',
    ],
    [
      'charge get chg_1 -o json id',
      '-o json takes no fields; they are chosen with --fields id.',
      'pixctl charge get',
    ],
    [
      'charge get --output ndjson id,status chg_1',
      '--output ndjson takes no fields; they are chosen with --fields id,status.',
      'pixctl charge get',
    ],
    [
      'charge get --json chg_1 chg_2',
      'pixctl charge get takes 1 argument, not 2: chg_1, chg_2.',
      'pixctl charge get',
    ],
    ['whoami start', 'pixctl whoami takes no argument, not 1: start.', 'pixctl whoami'],
    ['policy show x', 'pixctl policy show takes no argument, not 1: x.', 'pixctl policy show'],
    [
      'webhook inbox lsit',
      'pixctl webhook inbox has no command "lsit"; did you mean pixctl webhook inbox list?',
      'pixctl webhook inbox list',
    ],
    ['charge list --limit', '--limit needs a value: <n>.', 'pixctl charge list'],
    ['reconcile', '--orders <file.csv> is missing.', 'pixctl reconcile'],
    [
      'withdraw --if-busy wiat',
      '--if-busy takes one of fail, wait, skip, not "wiat"; did you mean wait?',
      'pixctl withdraw',
    ],
    [
      'completion tcsh',
      '<shell> takes one of bash, zsh, fish, powershell, install, not "tcsh".',
      'pixctl completion',
    ],
  ])('%s', async (line, words, path) => {
    const { message, hint, exit } = await refusal(line);
    expect(message).toBe(`${words} Nothing was sent.`);
    expect(hint).toMatch(new RegExp(`^${path} --help shows its (commands|flags|flags and examples)\\.$`));
    expect(exit).toBe(64);
  });

  it.each([
    ['charge nope --help', 'pixctl charge has no command "nope".', 'pixctl charge'],
    [
      'charge creat -h',
      'pixctl charge has no command "creat"; did you mean pixctl charge create?',
      'pixctl charge',
    ],
    ['nope --help', 'pixctl has no command "nope".', 'pixctl'],
    ['whoam --help', 'pixctl has no command "whoam"; did you mean pixctl whoami?', 'pixctl'],
    ['webhook inbox nope -h', 'pixctl webhook inbox has no command "nope".', 'pixctl webhook inbox'],
  ])('%s shows no help, which a script would take for that of a command', async (line, words, path) => {
    const { message, hint, exit } = await refusal(line);
    expect(message).toBe(`${words} Nothing was sent.`);
    expect(hint).toBe(`${path} --help shows its commands.`);
    expect(exit).toBe(64);
  });

  it('a flag of every command is explained where the flags are', async () => {
    expect((await refusal('--output xml charge list')).hint).toBe('pixctl --help shows its flags.');
  });

  it.each(
    'refund create qr batch resolve listen trigger replay inbox sign pay start fault decode'.split(' '),
  )('%s without its noun means a command that there is', async (verb) => {
    const [, meant = ''] = /did you mean pixctl (.+)\?/.exec((await refusal(verb)).message) ?? [];
    const program = await createProgram({} as Runtime, 'all');
    const [noun = '', ...rest] = meant.split(' ');
    const parent = program.commands.find((each) => each.name() === noun);
    expect(rest).toEqual([verb]);
    expect(parent?.commands.map((each) => each.name())).toContain(verb);
  });

  it('a --timeout that bounds nothing is refused by whatever command it is given to', async () => {
    expect((await refusal('config list --timeout soon')).message).toBe(
      '--timeout: "soon" is not a duration. Nothing was sent.',
    );
    expect(await refusal('charge wait chg_1 --timeout 0s')).toMatchObject({
      message: '--timeout takes a duration longer than 0, not "0s". Nothing was sent.',
      hint: 'Like 30s or 5m.',
      exit: 64,
    });
  });
});
