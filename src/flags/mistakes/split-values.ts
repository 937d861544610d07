/** One value that reached commander as several words: what was probably meant; null where nothing is recognised. */
import type { Command } from 'commander';
import { commandLine } from '../command-line.ts';
import { stripTypographicQuotes } from './pasted-text.ts';

/**
 * Recognises a value that PowerShell has split into several words. They belong together if no other word is too many.
 */
export function explainSplitAtCommas(words: readonly string[], operands: readonly string[]): string | null {
  const isRest = (at: number) => operands.every((operand, index) => words[at + 2 + index] === operand);
  const at = words.findIndex((word, index) => (lists.test(word) || amounts.test(word)) && isRest(index));
  const [flag = '', first = ''] = words.slice(at, at + 2);
  const rest = amounts.test(flag) ? /^\d\d$/ : /^\w+$/;
  if (at < 0 || !operands.every((operand) => rest.test(operand))) return null;
  return `${flag} takes one value; did you mean ${flag} "${[first, ...operands].join(',')}"? PowerShell reads a comma without quotes as a list.`;
}

/** Recognises `1 050,00`: what follows the space is an amount too, but not the one that was meant. */
export function explainSplitAtThousands(
  words: readonly string[],
  operands: readonly string[],
): string | null {
  const at = words.findIndex((word) => amounts.test(word) && word !== '--limit');
  const parts = words.slice(at + 1, at + 2 + operands.length);
  const isRest = at >= 0 && operands.every((operand, index) => parts[index + 1] === operand);
  if (!isRest || !/^\d{1,3}( \d{3})+(,\d\d)?$/.test(parts.join(' '))) return null;
  const [flag, amount] = [words[at], parts.join('')];
  if (amount.includes(',')) return `${flag} takes one value; did you mean ${flag} ${amount}?`;
  return `${flag} takes one value, without spaces: ${amount},00 is reais, ${amount} is cents.`;
}

/** Recognises a text without quotes: the flag has taken its first word, and the rest is too many. */
export function explainUnquotedFlag(words: readonly string[], command: Command): string | null {
  const { args, options, registeredArguments } = command;
  const rest = args.slice(registeredArguments.length);
  for (const { long, short, flags } of options.filter((option) => option.flags.endsWith('<text>'))) {
    const at = words.findIndex((word) => word === long || word === short);
    const [value = '', ...after] = words.slice(at + 1);
    if (at < 0 || !rest.every((word, index) => word === after[index])) continue;
    const line = commandLine([long ?? flags, stripTypographicQuotes([value, ...rest].join(' '))]);
    return `${long} takes one value; did you mean ${line}?`;
  }
  return null;
}

/** Recognises an argument that may well contain spaces, such as a copy-and-paste code with the name of a shop. */
export function explainUnquotedArgument(path: string, { args, registeredArguments }: Command): string | null {
  const [only, ...others] = registeredArguments;
  if (only === undefined || others.length > 0 || !['code', 'idempotency key'].includes(only.name()))
    return null;
  return `<${only.name()}> is one value; did you mean ${path} ${commandLine([stripTypographicQuotes(args.join(' '))])}?`;
}

const amounts = /^(?:-a|--(?:[a-z]+-)*(?:amount|ticket|available|limit|fee))$/;
const lists = /^(?:--events|-e|--fields)$/;
