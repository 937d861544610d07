import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { amountArgument } from '../../src/flags/amount.ts';
import { parseDuration } from '../../src/flags/duration.ts';
import { helpNotes, loadFields, withHelp } from '../../src/flags/help.ts';
import { nearest } from '../../src/flags/nearest.ts';

describe('durations', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
    ['45', 45_000],
    ['0', 0],
    [' 5s ', 5_000],
  ])('%j is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', 's', '1.5h', '-5s', '5 s', '1h30m', '5w', '5S', '٥s', '1e3', 'Infinity', '99999999999s'])(
    '%j is refused, with the rule',
    (text) => {
      expect(() => parseDuration(text)).toThrow(/is not a duration: a whole number and s, m, h or d/);
    },
  );
});

describe('amounts', () => {
  it.each([
    ['1050', 1050],
    ['10,50', 1050],
    ['R$ 1.050,00', 105_000],
  ])('%j is %i cents', (text, cents) => {
    expect(amountArgument(text)).toBe(cents);
  });

  it('of two readings are refused with both', () => {
    expect(() => amountArgument('10,5')).toThrow(/R\$ 10,50.*R\$ 1,05.*Nothing was sent/);
  });
});

describe('nearest', () => {
  it.each([
    ['stauts', 'status'],
    ['STATUS', 'status'],
    ['amout', 'amount'],
    ['ammount', 'amount'],
    ['i', 'id'],
    ['crea', 'createdAt'],
    ['xyz', undefined],
    ['nothing-like-it', undefined],
    ['', undefined],
  ])('%j was meant as %j', (typed, meant) => {
    expect(nearest(typed, ['id', 'status', 'amount', 'createdAt'])).toBe(meant);
  });
});

describe('help notes', () => {
  it('name the fields once the view has been loaded', async () => {
    let printed = '';
    const writeOut = (text: string) => {
      printed += text;
    };
    const view = async () => ({ columns: [{ key: 'id' }, { key: 'amount' }] });
    const command = withHelp(new Command('pay'), { examples: [], exits: [], view });
    await loadFields(command);
    command.configureOutput({ writeOut }).outputHelp();
    expect(printed).toContain('Fields for --fields: id, amount');
  });

  it('end the help of a command and can be read for the documents', () => {
    let printed = '';
    const writeOut = (text: string) => {
      printed += text;
    };
    const command = withHelp(new Command('pay').description('pay'), {
      examples: [{ run: 'pixctl pay 10,50', does: 'ten reais fifty' }],
      exits: ['usage', 'unknown'],
      more: 'A paragraph.',
    });
    command.configureOutput({ writeOut }).outputHelp();
    expect(printed).toContain(`
A paragraph.

Examples:
  # ten reais fifty
  pixctl pay 10,50

Exit codes besides 0 (all: pixctl help exit-codes):
  64   usage or local validation; nothing was sent
  81   OUTCOME UNKNOWN:`);
    expect(printed).not.toContain('Fields for');
    expect(helpNotes(command)?.exits).toEqual(['usage', 'unknown']);
  });
});
