/** Command lines in help and documents, and what of them the program does not know. */
import type { Command } from 'commander';

/** The pixctl command lines in an example: quoted text taken out, comments, pipes and redirections cut off. */
export function pixctlLines(run: string): string[] {
  return run
    .replace(/\\\n\s*/g, ' ')
    .replace(/"[^"]*"|'[^']*'/g, 'TEXT')
    .replace(/\s#.*$/gm, '')
    .split(/\n|\||&&|;|<\(|\$\(|\)/)
    .map((part) =>
      part
        .trim()
        .replace(/^(\w+=\S+\s+)+/, '')
        .replace(/\s*[<>].*$/, ''),
    )
    .filter((part) => part.startsWith('pixctl '));
}

/** The words of a pixctl line that name no command, and the flags that its command does not take. */
export function unknownWords(program: Command, line: string): string[] {
  const words = line.split(/\s+/).slice(1);
  let command = program;
  while (words[0] !== undefined) {
    const child = command.commands.find((each) => each.name() === words[0]);
    if (child === undefined) break;
    command = child;
    words.shift();
  }
  if (command === program && !words[0]?.startsWith('-')) return words.slice(0, 1);
  // A noun with a default verb takes the flags of that verb.
  const children = command.commands.flatMap(({ options }) => options);
  const known = [...command.options, ...children, ...program.options].flatMap(({ long, short }) => [
    long,
    short,
  ]);
  const flags = words.filter((word) => /^--?[a-z]/i.test(word)).map((word) => String(word.split('=')[0]));
  return flags.filter((flag) => flag !== '--help' && !known.includes(flag));
}
