import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { helpNotes, loadFields, withHelp } from '../../src/flags/help.ts';

describe('help notes', () => {
  it('name the fields once the view has been loaded', async () => {
    let printed = '';
    const writeOut = (text: string) => {
      printed += text;
    };
    const view = async () => ({ columns: [{ key: 'id' }, { key: 'amount' }] });
    const command = withHelp(new Command('pay'), { examples: {}, exits: [], view });
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
      examples: { 'pixctl pay 10,50': 'ten reais fifty' },
      exits: ['usage', 'unknown'],
      more: 'A paragraph.',
    });
    command.configureOutput({ writeOut }).outputHelp();
    expect(printed).toContain(`
A paragraph.

Examples:
  # ten reais fifty
  pixctl pay 10,50

Exit codes to handle (all: pixctl help exit-codes):
  64   usage or local validation; nothing was sent
  81   OUTCOME UNKNOWN:`);
    expect(printed).not.toContain('Fields for');
    expect(helpNotes(command)?.exits).toEqual(['usage', 'unknown']);
  });
});
