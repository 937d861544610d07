/** Sentences on a narrow terminal. */
import { expect, it } from 'vitest';
import { wrapSentence } from '../../src/flags/wrap-sentence.ts';

const broken = (text: string, columns: number, indent = 0) => wrapSentence(text, { columns, indent });

it('are broken between words, each line but the first behind the indent', () => {
  expect(broken('Nothing was sent, and nothing is owed to anybody.', 29, 2)).toBe(
    'Nothing was sent, and\n  nothing is owed to anybody.',
  );
  expect(broken('It fits as it is.', 29)).toBe('It fits as it is.');
});

it.each([
  [
    'a command, to the end of its sentence',
    'To see it run pixctl withdrawal reconcile k-1 --yes. Then try again later.',
    'To see it run\npixctl withdrawal reconcile k-1 --yes.\nThen try again later.',
  ],
  [
    'a command that is longer than a line',
    'Run pixctl withdraw --amount 10,50 --to maria@example.com --yes; it is safe.',
    'Run\npixctl withdraw --amount 10,50 --to maria@example.com --yes;\nit is safe.',
  ],
  [
    'marks of a sentence in the quotes of a command',
    "Say it again: pixctl charge create --description 'Two. Or one' --yes",
    "Say it again:\npixctl charge create --description 'Two. Or one' --yes",
  ],
  [
    'npx and a variable before it',
    'Here it is called npx pixctl doctor; or PIXCTL_PROFILE=shop pixctl doctor, elsewhere.',
    'Here it is called npx pixctl doctor; or\nPIXCTL_PROFILE=shop pixctl doctor,\nelsewhere.',
  ],
  [
    'no more than its name, where pixctl is no command',
    'Compiled code is kept in a folder pixctl (of ~/.cache, or where you say).',
    'Compiled code is kept in a folder pixctl\n(of ~/.cache, or where you say).',
  ],
  [
    'several variables before it',
    'Try it: PIXCTL_BASE_URL=http://127.0.0.1:4010 PIXCTL_API_KEY=svc_sandbox_1 pixctl doctor',
    'Try it:\nPIXCTL_BASE_URL=http://127.0.0.1:4010 PIXCTL_API_KEY=svc_sandbox_1 pixctl doctor',
  ],
  [
    'a path with blanks in quotes',
    'There is no file "/home/maria/my files of march/a b.csv" here.',
    'There is no file\n"/home/maria/my files of march/a b.csv"\nhere.',
  ],
  [
    'a path and an address, whatever their length',
    'See /home/maria/.local/state/pixctl/ledger.sqlite or http://127.0.0.1:4010/__sandbox/ui/charges',
    'See\n/home/maria/.local/state/pixctl/ledger.sqlite\nor\nhttp://127.0.0.1:4010/__sandbox/ui/charges',
  ],
  [
    'a flag and its value',
    'Run it again later, or wait with --if-busy wait; -f names an application.',
    'Run it again later, or wait with\n--if-busy wait; -f names an application.',
  ],
  [
    'an amount',
    'To be paid out before tomorrow at 12: R$ 1.234,50, and nothing else.',
    'To be paid out before tomorrow at 12:\nR$ 1.234,50, and nothing else.',
  ],
  [
    'a number and its unit',
    'The charge has been PENDING for all of 30 s, and longer than 10 min here.',
    'The charge has been PENDING for all of\n30 s, and longer than 10 min here.',
  ],
  [
    'a time with its day and zone',
    'Its answer was lost (sent 2026-01-02 00:04:05 -03:00), so look again.',
    'Its answer was lost (sent\n2026-01-02 00:04:05 -03:00), so look\nagain.',
  ],
  [
    'several blanks',
    'There is no file in this place called a  b.csv, nor another.',
    'There is no file in this place called\na  b.csv, nor another.',
  ],
  [
    'a word of bytes',
    "It is under the name that a shell reads as $'caf\\303\\251 of a day'.",
    "It is under the name that a shell reads\nas $'caf\\303\\251 of a day'.",
  ],
  [
    'no more than that, at an apostrophe',
    "The service's own word for it is the customer's, and the other ones' too.",
    "The service's own word for it is the\ncustomer's, and the other ones' too.",
  ],
])('keep whole %s', (_what, text, lines) => {
  expect(broken(text, 40)).toBe(lines);
});

it('are left to a terminal that is too narrow for words', () => {
  const text = 'Nothing was sent, and nothing is owed to anybody.';
  expect(broken(text, 13, 2)).toBe(text);
});
