/** The plain settings that `config set` accepts; others (policy, ledger) are written by their own commands. */
import { type PixctlError, usageError } from '../errors.ts';
import { parsePositiveDuration } from '../flags/duration.ts';
import { didYouMean, nearest } from '../flags/nearest.ts';
import { isTimeZone } from '../flags/time-zone.ts';

export interface Setting {
  readonly help: string;
  /** Throws a usage error (64) for a value that makes no sense. */
  readonly parse: (text: string) => string;
}

export const settings: Readonly<Record<string, Setting>> = {
  timeout: {
    help: 'time limit of one request, without --timeout (default: 30s)',
    parse: (text) => {
      parsePositiveDuration(text, 'The setting timeout');
      return text;
    },
  },
  timeZone: {
    help: "time zone of tables and of days in --since, when TZ is not set, for example America/Sao_Paulo (default: the system's)",
    parse: (text) => {
      if (!isTimeZone(text))
        throw usageError(
          `"${text}" is not a time zone. Nothing was changed.`,
          'Use a name such as America/Sao_Paulo or UTC.',
        );
      return text;
    },
  },
  keychain: {
    help: 'on (the default) or off, which stores secrets in a file (mode 0600), as PIXCTL_KEYCHAIN=off does',
    parse: (text) => {
      if (text !== 'on' && text !== 'off')
        throw usageError(`"${text}" is neither on nor off. Nothing was changed.`);
      return text;
    },
  },
};

/** The setting of that name, for a change. Throws a usage error (64) that lists the known ones. */
export function settingOf(name: string): Setting {
  const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
  if (setting === undefined) throw unknownSetting(name, ' that config changes', ' Nothing was changed.');
  return setting;
}

/** Throws usage (64) for a name that no setting has, for reading. `others`: those that other commands write. */
export function checkSetting(name: string, others: readonly string[]): void {
  if (Object.hasOwn(settings, name) || others.includes(name)) return;
  throw unknownSetting(name, '', '', others);
}

function unknownSetting(
  name: string,
  which: string,
  ending: string,
  others: readonly string[] = [],
): PixctlError {
  const known = Object.keys(settings);
  const meant = nearest(name, [...known, ...others]);
  return usageError(
    `There is no setting "${name}"${which}${didYouMean(meant, '"')}${ending}`,
    `Settings: ${known.join(', ')}. The policy has its own commands: pixctl policy show and pixctl policy set.`,
  );
}
