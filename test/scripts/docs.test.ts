/** What help and documents say can be done, can be done. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { listDocumentedCommands } from '../../scripts/command-text.ts';
import { generateDocuments } from '../../scripts/docs.ts';
import type { ExitName } from '../../src/errors.ts';
import { exitMeaning, helpNotes } from '../../src/flags/help.ts';
import { createProgram } from '../../src/program.ts';
import type { Runtime } from '../../src/runtime.ts';
import { pixctlLines, unknownWords } from '../support/command-lines.ts';

const program = await createProgram({} as Runtime, 'all');
const commands = listDocumentedCommands(program).map(({ path, command }) => [path, command] as const);

describe('every command', () => {
  it.each(commands)('%s says what it does, with examples and flags explained', (path, command) => {
    expect(command.description(), 'a description').not.toBe('');
    expect(Object.keys(helpNotes(command)?.examples ?? {}).length, 'examples (withHelp)').toBeGreaterThan(1);
    expect(command.description(), 'one line, without a full stop').not.toMatch(/\.$|\n/);
    for (const option of command.options) expect(option.description, `${path} ${option.flags}`).not.toBe('');
  });

  const showing = commands.flatMap(([path, command]) => {
    const view = helpNotes(command)?.view;
    return view === undefined ? [] : [[path, view] as const];
  });

  it.each(showing)('%s names each of its columns once, as --fields takes it', async (_, view) => {
    const keys = (await view()).columns.map(({ key }) => key);
    expect(keys.filter((key) => !/^[a-z]\w*$/i.test(key ?? ''))).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(commands)('%s fits 80 columns, but for what is to be pasted', (_path, command) => {
    let help = '';
    const writeOut = (text: string) => {
      help += text;
    };
    command.configureOutput({ writeOut, getOutHelpWidth: () => 80 }).outputHelp();
    const lines = help.split('\n');
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('  pixctl'))).toEqual([]);
    const exits = lines.flatMap((line) => /^ {2}(\d+) /.exec(line)?.[1] ?? []).map(Number);
    expect(exits).toEqual([...exits].sort((a, b) => a - b));
  });

  /** Verbs of the sandbox that change nothing: no answer of theirs can be lost. */
  const reading =
    /^pixctl sandbox (merchant get|clock get|snapshot|events|deliveries|requests|fault list|assumptions)$/;
  /**
   * Of a wait, of a service that does not answer, of a missing secret, of an endpoint that is registered, of a sandbox
   * that is another program or does not answer.
   */
  function exitsToName(path: string, command: Command): ExitName[] {
    const takes = (flag: string) => command.options.some(({ long }) => long === flag);
    const waits = (path.endsWith(' wait') || takes('--wait')) && !path.startsWith('pixctl sandbox');
    const drives = /^pixctl sandbox (?!start$)/.test(path) && command.commands.length === 0;
    return [
      ...(waits ? (['pending', 'auth'] as const) : []),
      ...(helpNotes(command)?.exits?.includes('auth') ? (['later'] as const) : []),
      ...(takes('--endpoint') && path.startsWith('pixctl webhook') ? (['config'] as const) : []),
      ...(takes('--register') ? (['refused', 'unknown'] as const) : []),
      ...(drives ? (['unexpected'] as const) : []),
      ...(drives && !reading.test(path) ? (['unknown'] as const) : []),
    ];
  }
  const naming = commands
    .map(([path, command]) => [path, exitsToName(path, command), command] as const)
    .filter(([, exits]) => exits.length > 0);

  it.each(naming)('%s names the exit codes %j', (_, exits, command) => {
    expect(helpNotes(command)?.exits).toEqual(expect.arrayContaining(exits));
  });

  it('each kind of exit code that is to be named is to be named by some', () => {
    const kinds = new Set(naming.flatMap(([, exits]) => exits));
    expect([...kinds].sort()).toEqual([
      ...['auth', 'config', 'later', 'pending', 'refused', 'unexpected', 'unknown'],
    ]);
  });

  /** The words of no command but these speak of what only these do. */
  const foreign: Partial<Record<ExitName, [words: RegExp, commands: RegExp]>> = {
    data: [/batch|payload|signature/, /^pixctl (withdrawal batch|webhook verify)$/],
    later: [/withdrawal in flight/, /^pixctl (withdraw|withdrawal (status|reconcile|resolve|batch))$/],
    unknown: [/money|charge/, /^pixctl (charge|withdraw)/],
    endedBadly: [/withdrawal|FAILED/, /^pixctl withdraw/],
    duplicate: [/equal payment/, /^pixctl withdraw/],
    notFound: [/404/, /^pixctl (?!sandbox|webhook (inbox|show|replay))/],
  };
  it('says of an exit code nothing that only other commands do', () => {
    const wrong = commands.flatMap(([path, command]) =>
      (helpNotes(command)?.exits ?? []).flatMap((exit) => {
        const words = exitMeaning(command, exit);
        const [speaks = /^$/, does = /^$/] = foreign[exit] ?? [];
        return speaks.test(words) && !does.test(path) ? [`${path}: ${words}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['sandbox', 'start'],
    ['webhook', 'listen'],
  ])(
    'pixctl %s %s says the same of its exit codes when it is loaded without its neighbours',
    async (noun, verb) => {
      const wordsIn = (of: Command) => {
        const found = of.commands.find((it) => it.name() === noun)?.commands.find((it) => it.name() === verb);
        if (found === undefined) throw new Error(`${noun} ${verb} is not there`);
        return helpNotes(found)?.exits.map((exit) => exitMeaning(found, exit));
      };
      expect(wordsIn(await createProgram({} as Runtime, [noun, verb]))).toEqual(wordsIn(program));
    },
  );

  it('is found by its path', () => {
    expect(commands.map(([path]) => path)).toContain('pixctl profile use');
  });
});

describe('the documents made from the definitions', async () => {
  it.each(Object.entries(await generateDocuments()))('%s is current', (path, text) => {
    const committed = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(committed === text, `${path} is out of date: npm run docs`).toBe(true);
  });

  it.each(Object.entries(await generateDocuments()))('%s says what an argument may be', (_, text) => {
    expect(text).toContain('for the shell in use (bash, zsh, fish, powershell, install)');
  });

  it('say of a second name of a command only whose name it is', () => {
    const second = listDocumentedCommands(program).flatMap(({ path, sameAs }) =>
      sameAs === null ? [] : [[path, sameAs]],
    );
    expect(second).toEqual([
      ['pixctl webhook inbox show', 'pixctl webhook show'],
      ['pixctl webhook inbox replay', 'pixctl webhook replay'],
    ]);
  });
});

describe('every example', () => {
  const examples = commands.flatMap(([path, command]) =>
    Object.keys(helpNotes(command)?.examples ?? {}).flatMap((run) =>
      pixctlLines(run).map((line) => [path, line] as const),
    ),
  );
  it.each(examples)('of %s names commands and flags that exist: %s', (_path, line) => {
    expect(unknownWords(program, line)).toEqual([]);
  });

  it('of a command that does something runs that command', () => {
    const names = (path: string) => (path === 'pixctl webhook inbox list' ? 'pixctl webhook inbox' : path);
    const others = listDocumentedCommands(program)
      .filter(({ command }) => command.commands.length === 0)
      .flatMap(({ path, command, sameAs }) =>
        Object.keys(helpNotes(command)?.examples ?? {}).filter((run) => !run.includes(names(sameAs ?? path))),
      );
    expect(others).toEqual([]);
  });
});

describe('lines of help that begin with a space', () => {
  it('are lines in both documents, and what follows them is prose', async () => {
    const documents = await generateDocuments();
    expect(documents['docs/commands.md']).toMatch(/^A file:\n\n```text\n( {2}\S+\n){3}```\n\nColumns/m);
    expect(documents['man/pixctl.1']).toMatch(/^A file:\n\.PP\n\.nf\n( {2}\S+\n){3}\.fi\n\.PP\nColumns/m);
  });
});
