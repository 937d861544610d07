/** `pixctl brcode`: what a copy-and-paste code says, and whether a bank would accept it. Offline. */
import { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';

const input = 'a copy-and-paste code, - for stdin, or a file (text or a PNG of a QR code)';
const more =
  'Works offline: a dynamic code names the address where its amount is, and that address is never contacted.';

export function brcodeCommand(runtime: Runtime): Command {
  const brcode = new Command('brcode')
    .description('decode and check PIX copy-and-paste codes, offline')
    .hook('preAction', async () => {
      if (runtime.globals.profile === undefined) return;
      await (await import('../../runtime/every-profile.ts')).checkNamedProfile(runtime);
    });
  const decode = brcode
    .command('decode')
    .description('show the fields of a code, with their names and meaning')
    .argument('<code>', input)
    .action(async (code: string) => (await import('./decode.ts')).decode(runtime, code));
  withHelp(decode, {
    view: async () => (await import('./view.ts')).fieldView,
    examples: {
      'pixctl brcode decode qr.png': 'what the QR code in an image says',
      'pixctl charge qr chg_123 | pixctl brcode decode -': 'from a pipe',
    },
    exits: ['usage', 'data'],
    more,
  });
  const verify = brcode
    .command('verify')
    .description('check a code strictly: CRC, order, required fields, lengths')
    .argument('<code>', input)
    .action(async (code: string) => (await import('./verify.ts')).verify(runtime, code));
  withHelp(verify, {
    view: async () => (await import('./view.ts')).judgementView,
    examples: {
      'pixctl brcode verify "00020126...6304E615"':
        'whether a bank would accept it; in quotes, because a code has spaces in it',
      'pixctl brcode verify - -o json < code.txt': 'key, amount and findings for a script',
    },
    exits: ['usage', 'data'],
    more,
  });
  return withHelp(brcode, {
    examples: {
      'pixctl brcode decode qr.png': 'what the QR code in an image says',
      'pixctl brcode verify - < code.txt': 'whether a bank would accept it',
    },
    exits: [],
    exitWords: { data: 'the code is not valid, or the image holds none' },
  });
}
