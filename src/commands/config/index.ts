/** `pixctl config`: plain settings. Flags only. */
import { Command } from 'commander';
import { settings } from '../../config/settings.ts';
import { withHelp } from '../../flags/help.ts';
import { wrapSentence } from '../../flags/wrap-sentence.ts';
import type { Runtime } from '../../runtime.ts';

const settingsHelp = [
  'Settings:',
  ...Object.entries(settings).map(
    ([name, { help }]) => `  ${name.padEnd(8)}  ${wrapSentence(help, { columns: 80, indent: 12 })}`,
  ),
].join('\n');
const name = `a setting: ${Object.keys(settings).join(', ')}`;
const settingView = async () => (await import('./settings.ts')).settingView;

export function configCommand(runtime: Runtime): Command {
  const config = new Command('config').description('read and write settings');
  withHelp(
    config
      .command('get')
      .description('print a setting')
      .argument('<name>', `${name}; also ledger.id, the id of the expected ledger`)
      .action(async (key: string) => (await import('./settings.ts')).getSetting(runtime, key)),
    {
      view: settingView,
      examples: {
        'pixctl config get timeout': 'empty where it is not set',
        'pixctl config get ledger.id': 'what PIXCTL_LEDGER_ID takes',
      },
      exits: ['usage', 'config'],
    },
  );
  withHelp(
    config
      .command('set')
      .description('write a setting')
      .argument('<name>', name)
      .argument('<value>', 'its new value')
      .action(async (key: string, value: string) =>
        (await import('./settings.ts')).setSetting(runtime, key, value),
      ),
    {
      view: settingView,
      examples: {
        'pixctl config set timeout 10s': 'give up sooner',
        'pixctl config set timeZone America/Sao_Paulo': 'for times in tables',
      },
      exits: ['usage', 'config'],
      more: settingsHelp,
    },
  );
  withHelp(
    config
      .command('unset')
      .description('remove a setting; its default applies again')
      .argument('<name>', name)
      .action(async (key: string) => (await import('./settings.ts')).unsetSetting(runtime, key)),
    {
      view: settingView,
      examples: {
        'pixctl config unset timeout': 'back to 30 seconds',
        'pixctl config unset timeZone': "back to the system's",
      },
      exits: ['usage', 'config', 'policy'],
      more: 'ledger.id, the id of the expected ledger, can be removed too, after a confirmation or with --yes. Do that only if the ledger is lost for good: the next one does not know what was sent.',
    },
  );
  withHelp(
    config
      .command('list')
      .description('list what is set, with the policy and the id of the expected ledger')
      .action(async () => (await import('./settings.ts')).listSettings(runtime)),
    {
      view: settingView,
      examples: {
        'pixctl config list': 'what is set; the defaults are left out',
        'pixctl config list -o json': 'for a script',
      },
      exits: ['config'],
    },
  );
  withHelp(
    config
      .command('path')
      .description('print where settings, secrets and state are stored')
      .action(async () => (await import('./settings.ts')).showPaths(runtime)),
    {
      view: async () => (await import('./settings.ts')).pathsView,
      examples: {
        'pixctl config path': 'PIXCTL_CONFIG_DIR and PIXCTL_STATE_DIR move them',
        'pixctl config path -o json --jq .state': 'where ledger and inbox are, if they are files',
      },
      exits: ['config'],
    },
  );
  return withHelp(config, {
    examples: {
      'pixctl config list': 'what is set',
      'pixctl config set timeZone America/Sao_Paulo': 'for times in tables',
    },
    exits: [],
    more: settingsHelp,
  });
}
