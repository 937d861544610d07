/** `pixctl login`, `logout`, `whoami` and `profile`: who one is to the service. Flags only. */
import { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import type { LoginFlags } from './login.ts';

export function loginCommand(runtime: Runtime): Command {
  const command = new Command('login')
    .description('keep an API key under a profile, after asking the service whether it is good')
    .option('--key-stdin', 'read the key from stdin')
    .option('--key-file <file>', 'read the key from a file of yours (mode 0600)')
    .option(
      '--merchant <label>',
      "your own stable name for the merchant, the ledger's scope (default: the profile's name)",
    )
    .option('--no-check', 'keep the key without asking the service')
    .action(async (flags: LoginFlags) => (await import('./login.ts')).login(runtime, flags));
  return withHelp(command, {
    rehearses: true,
    view: async () => (await import('./view.ts')).profileView,
    examples: [
      {
        run: 'pixctl login',
        does: 'asks, masked, for a new key; at first for the address too',
      },
      {
        run: 'pixctl login --profile acme --base-url https://api.example.com --key-stdin < key.txt',
        does: 'without a terminal',
      },
    ],
    exits: ['usage', 'later', 'auth', 'config', 'blocked'],
    more: 'Without --profile it is the current profile that gets the key; its address and its label stay. Another\n--base-url or --merchant, or the sandbox being current, makes the profile "default".\nA key is never taken from the command line, which other users of the machine can read. It is kept in the\nOS keychain where one works, else in a file that only you can read; login says where.\nA profile keeps its label and address while a withdrawal of it is unknown (84), and its key goes to no profile of\nanother label meanwhile.',
  });
}

export function logoutCommand(runtime: Runtime): Command {
  const command = new Command('logout')
    .description("forget a profile's API key; its address and merchant label stay")
    .action(async () => (await import('./logout.ts')).logout(runtime));
  return withHelp(command, {
    examples: [
      { run: 'pixctl logout', does: 'the current profile' },
      { run: 'pixctl logout --profile acme', does: 'another one' },
    ],
    exits: ['config'],
  });
}

export function whoamiCommand(runtime: Runtime): Command {
  const command = new Command('whoami')
    .description('show the profile in use, and whether the service takes its key')
    .option('--offline', 'do not ask the service')
    .action(async (flags: { offline?: boolean }) => (await import('./whoami.ts')).whoami(runtime, flags));
  return withHelp(command, {
    view: async () => (await import('./view.ts')).identityView,
    examples: [
      { run: 'pixctl whoami', does: 'profile, address, merchant label, where the key lies' },
      { run: 'pixctl whoami -o json --offline', does: 'for a script, without a request' },
    ],
    exits: ['later', 'auth', 'config'],
  });
}

export function profileCommand(runtime: Runtime): Command {
  const profile = new Command('profile').description('list, choose and remove profiles');
  withHelp(
    profile
      .command('list')
      .description('list the profiles')
      .action(async () => (await import('./profiles.ts')).listProfiles(runtime)),
    {
      view: async () => (await import('./view.ts')).profileView,
      examples: [{ run: 'pixctl profile list', does: 'all of them; the current one is marked' }],
      exits: ['config'],
    },
  );
  withHelp(
    profile
      .command('use')
      .description('make a profile the current one')
      .argument('<name>', 'name of a profile')
      .action(async (name: string) => (await import('./profiles.ts')).useProfile(runtime, name)),
    { examples: [{ run: 'pixctl profile use acme', does: 'from now on' }], exits: ['config'] },
  );
  withHelp(
    profile
      .command('remove')
      .description('remove a profile and its key')
      .argument('<name>', 'name of a profile')
      .action(async (name: string) => (await import('./profiles.ts')).removeProfile(runtime, name)),
    {
      examples: [
        { run: 'pixctl profile remove acme', does: 'asks first' },
        { run: 'pixctl profile remove acme --yes', does: 'does not ask' },
      ],
      exits: ['usage', 'config', 'policy'],
      more: 'Its ledger stays: what was sent must not be forgotten. It is kept by the merchant label: a later profile of the\nsame merchant, whatever its name, needs login --merchant with that label, or its keys are new ones.',
    },
  );
  return withHelp(profile, {
    examples: [
      { run: 'pixctl profile list', does: 'all of them; the current one is marked' },
      { run: 'pixctl charge list --profile acme', does: 'another one, for one command' },
    ],
    exits: [],
    more: 'pixctl login makes a profile, or gives one a new key.',
  });
}
