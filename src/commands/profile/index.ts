/** `pixctl login`, `logout`, `whoami` and `profile`: who you are to the service. Flags only. */
import { Command } from 'commander';
import { notReached, withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import type { LoginFlags } from './login.ts';

const profileView = async () => (await import('./view.ts')).profileView;

export function loginCommand(runtime: Runtime): Command {
  const command = new Command('login')
    .description('store an API key in a profile, after checking it with the service')
    .option('--key-stdin', 'read the key from stdin')
    .option('--key-file <file>', 'read the key from a file that belongs to you (mode 0600)')
    .option(
      '--merchant <label>',
      "your own stable name for the merchant; it is the scope of the ledger (default: the profile's name)",
    )
    .option('--no-check', 'store the key without checking it with the service')
    .action(async (flags: LoginFlags) => (await import('./login.ts')).login(runtime, flags));
  return withHelp(command, {
    dryRun: 'reading',
    view: profileView,
    examples: {
      'pixctl login': 'asks for the key (hidden), and for the address if there is none yet',
      'pixctl login --profile acme --base-url https://api.example.com --key-stdin < key.txt':
        'without a terminal',
    },
    exits: ['usage', 'later', 'auth', 'config', 'blocked'],
    exitWords: { later: notReached },
    more: 'A key (svc_...) is made in the dashboard of the merchant: settings, API keys. Without --profile the current profile gets the key; its address and its label stay. With another --base-url or --merchant, or while the sandbox is current, the profile "default" is created instead. A key is never read from the command line, which other users of the machine can see. It is stored in the OS keychain where one works, otherwise in a file that only you can read; login says where. While the outcome of a withdrawal of a profile is unknown, its label and address cannot be changed, and its key cannot be given to a profile with another label (84).',
  });
}

export function logoutCommand(runtime: Runtime): Command {
  const command = new Command('logout')
    .description("forget a profile's API key; its address and merchant label stay")
    .action(async () => (await import('./logout.ts')).logout(runtime));
  return withHelp(command, {
    view: profileView,
    examples: {
      'pixctl logout': 'the current profile',
      'pixctl logout --profile acme': 'another profile',
    },
    exits: ['config'],
  });
}

export function whoamiCommand(runtime: Runtime): Command {
  const command = new Command('whoami')
    .description('show the profile in use, and whether its key works')
    .option('--offline', 'do not ask the service')
    .action(async (flags: { offline?: boolean }) => (await import('./whoami.ts')).whoami(runtime, flags));
  return withHelp(command, {
    view: async () => (await import('./view.ts')).identityView,
    examples: {
      'pixctl whoami': 'profile, address, merchant label, where the key is stored',
      'pixctl whoami -o json --offline': 'for a script, without a request',
    },
    exits: ['later', 'auth', 'config'],
    exitWords: { later: notReached },
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
      view: profileView,
      examples: {
        'pixctl profile list': 'all of them; the current one is marked',
        "pixctl profile list -o json --jq '.[].name'": 'their names, for a script',
      },
      exits: ['config'],
    },
  );
  withHelp(
    profile
      .command('use')
      .description('make a profile the current one')
      .argument('<name>', 'name of a profile')
      .action(async (name: string) => (await import('./profiles.ts')).useProfile(runtime, name)),
    {
      prompts: { name: async () => (await import('./choose.ts')).chooseProfile(runtime) },
      view: profileView,
      examples: {
        'pixctl profile use': 'asks which one',
        'pixctl profile use acme': 'acme from now on',
      },
      exits: ['config'],
    },
  );
  withHelp(
    profile
      .command('remove')
      .description('remove a profile and its key')
      .argument('<name>', 'name of a profile')
      .action(async (name: string) => (await import('./profiles.ts')).removeProfile(runtime, name)),
    {
      prompts: { name: async () => (await import('./choose.ts')).chooseProfile(runtime) },
      confirms: true,
      view: profileView,
      examples: {
        'pixctl profile remove acme': 'asks first',
        'pixctl profile remove acme --yes': 'does not ask',
      },
      exits: ['usage', 'config', 'policy'],
      more: 'Its ledger stays: what was sent must not be forgotten. The ledger belongs to the merchant label: a later profile of the same merchant needs login --merchant with that label, or its idempotency keys count as new.',
    },
  );
  return withHelp(profile, {
    examples: {
      'pixctl profile list': 'all of them; the current one is marked',
      'pixctl charge list --profile acme': 'another profile, for one command',
    },
    exits: [],
    more: 'pixctl login creates a profile, or gives one a new key.',
  });
}
