/**
 * `login`: checks an address, a merchant label and a key, stores them apart from each other, and makes them current.
 */
import { join } from 'node:path';
import { keyIn, parseApiKey } from '../../config/api-key.ts';
import { parseBaseUrl } from '../../config/base-url.ts';
import type { Config, Profile, Saved } from '../../config/profile.ts';
import { parseVariable } from '../../config/resolve-profile.ts';
import { parseMerchant } from '../../config/stored-config.ts';
import { isLoopback } from '../../contract/loopback.ts';
import { PixctlError, removeNothingSent, rewordError, usageError } from '../../errors.ts';
import { commandLine, flagWords, nonInteractiveNote } from '../../flags/command-line.ts';
import { inputLimits } from '../../flags/input.ts';
import type { Runtime } from '../../runtime.ts';
import { checkKey } from './check-key.ts';
import { refuseUnusableKey } from './key-place.ts';
import { loginName } from './login-name.ts';
import { profileView } from './view.ts';

export interface LoginFlags {
  readonly keyStdin?: boolean;
  readonly keyFile?: string;
  readonly merchant?: string;
  /** False with `--no-check`. */
  readonly check?: boolean;
}

/** Logs in. Nothing is stored unless the service accepted the key or `--no-check` was given. */
export async function login(runtime: Runtime, flags: LoginFlags): Promise<void> {
  const output = await runtime.output(profileView);
  const config = await runtime.config();
  const { environment, globals } = runtime;
  const { name, renewed } = loginName(runtime, config, flags.merchant);
  if (renewed !== null) output.note(renewal(renewed));
  const before = config.list().find((profile) => profile.name === name);
  const baseUrl = await addressOf(runtime, before);
  const merchant = merchantOf(flags.merchant ?? before?.merchant, environment.PIXCTL_MERCHANT, name);
  const isMoved = before !== undefined && (before.merchant !== merchant || before.baseUrl !== baseUrl);
  if (isMoved)
    await (await import('./old-scope.ts')).checkOldScope(runtime, before, { name, merchant, baseUrl });
  const key = await keyOf(runtime, config, flags, baseUrl);
  await refuseUnusableKey(runtime, { name, baseUrl, key });

  const again = givenAddress(runtime, before) === undefined ? lineAgain(flags, baseUrl) : null;
  if (flags.check !== false) await verify(runtime, baseUrl, { key, again });
  const after = { name, merchant, baseUrl, isNew: before === undefined || isMoved };
  await (await import('./old-scope.ts')).checkOtherProfiles(runtime, after, key);
  if (globals.dryRun === true)
    return output.note(
      `Dry run: the key ${flags.check === false ? 'was not tried' : 'is good'}; the profile ${name} is not written.`,
    );
  // Checked again: while the key was typed or tried, a withdrawal may have been sent whose outcome is not known.
  if (isMoved) await (await import('./old-scope.ts')).refuseIfOpen(runtime, before);
  const saved = await config.save({ name, baseUrl, merchant }, key, { current: true });
  runtime.flight.completed = {
    what: `The profile ${name} is stored.`,
    hint: 'pixctl profile list shows it.',
  };
  await output.show(profileView, { ...saved.profile, current: true });
  reportKeyLocation(runtime, config, saved, output);
  if (flags.keyStdin !== true && flags.keyFile === undefined)
    output.note(
      `${nonInteractiveNote(globals, [
        ...['pixctl', 'login', '--profile', name, '--base-url', baseUrl, '--merchant', merchant],
        ...(flags.check === false ? ['--no-check'] : []),
      ])} --key-file <file>`,
    );
}

const renewal = ({ name, baseUrl, merchant }: Profile): string =>
  `This is for the current profile ${name} (${baseUrl}, merchant ${merchant}); --profile <name> creates or renews another.`;

const givenAddress = ({ globals, environment }: Runtime, before: Profile | undefined): string | undefined =>
  globals.baseUrl ?? (environment.PIXCTL_BASE_URL || before?.baseUrl);

/** Returns the line to run again, so that what was typed at a question is not lost with a run that fails. */
const lineAgain = ({ merchant, keyFile }: LoginFlags, baseUrl: string): string =>
  commandLine([
    ...['pixctl', 'login', '--base-url', baseUrl],
    ...(merchant === undefined ? [] : flagWords('--merchant', merchant)),
    ...(keyFile === undefined ? [] : flagWords('--key-file', keyFile)),
  ]);

function merchantOf(label: string | undefined, variable: string | undefined, name: string): string {
  if (label !== undefined) return parseMerchant(label);
  return variable ? parseVariable('PIXCTL_MERCHANT', variable, parseMerchant) : parseMerchant(name);
}

async function addressOf(runtime: Runtime, before: Profile | undefined): Promise<string> {
  const given = givenAddress(runtime, before);
  const { PIXCTL_BASE_URL: variable } = runtime.environment;
  if (runtime.globals.baseUrl === undefined && variable)
    return parseVariable('PIXCTL_BASE_URL', variable, parseBaseUrl);
  if (given !== undefined) return parseBaseUrl(given);
  const prompter = await runtime.prompter();
  if (!prompter.canAsk) {
    throw usageError(
      'The address of the service is missing. Nothing was sent.',
      'Give --base-url or PIXCTL_BASE_URL.',
    );
  }
  return parseBaseUrl(
    await prompter.input({
      message: 'Address of the service (https://…)',
      validate: createValidator(parseBaseUrl),
    }),
  );
}

async function keyOf(runtime: Runtime, config: Config, flags: LoginFlags, baseUrl: string): Promise<string> {
  if (flags.keyStdin === true && flags.keyFile !== undefined)
    throw usageError(
      '--key-stdin and --key-file contradict each other. Nothing was sent.',
      'Give one of them.',
    );
  if (flags.keyFile !== undefined) return keyInFile(config, flags.keyFile);
  const prompter = await runtime.prompter();
  // At a terminal the key would be shown as it is typed, so there it is asked for, masked.
  if (flags.keyStdin === true && !prompter.canAsk)
    return keyIn(await runtime.io.readInput({ atMost: inputLimits.secret }), 'The API key');
  if (!prompter.canAsk) {
    throw usageError(
      'The API key is missing, and there is nobody to ask. Nothing was sent.',
      'Give --key-stdin (and the key on stdin) or --key-file <file>.',
    );
  }
  if (!isLoopback(new URL(baseUrl).hostname))
    (await runtime.output()).note('A key is made in the dashboard of the merchant: settings, API keys.');
  return parseApiKey(
    await prompter.secret({
      message: `API key for ${baseUrl} (svc_…)`,
      validate: createValidator(parseApiKey),
    }),
  );
}

/**
 * Reads the key's file. A file that is named on the command line but does not exist is a usage error (64), not a
 * setting.
 */
function keyInFile(config: Config, path: string): string {
  try {
    return config.keyFile(path);
  } catch (error) {
    if (error instanceof PixctlError && error.code === 'NO_KEY_FILE')
      throw usageError(error.message, error.hint);
    throw error;
  }
}

const createValidator =
  (parse: (text: string) => unknown) =>
  (text: string): true | string => {
    try {
      parse(text);
      return true;
    } catch (error) {
      return removeNothingSent((error as Error).message);
    }
  };

/** Tries the key. `again`: the line that starts over with the address that was asked for; null if none was. */
async function verify(
  runtime: Runtime,
  baseUrl: string,
  { key, again }: { readonly key: string; readonly again: string | null },
): Promise<void> {
  const api = await runtime.apiFor({ baseUrl, apiKey: key });
  const anew = again === null ? '' : ` The same address again: ${again}`;
  try {
    const verdict = await checkKey(api).catch((error: unknown) =>
      Promise.reject(toNotStoredError(error, baseUrl, anew)),
    );
    if (verdict === 'forbidden') {
      (await runtime.output()).warn(`${baseUrl} knows the key, but does not let it list charges (403).`);
    }
    if (verdict !== 'refused') return;
  } finally {
    await api.close();
  }
  throw new PixctlError(
    'auth',
    'UNAUTHORIZED',
    `${baseUrl} does not accept this key (401). Nothing was stored.`,
    {
      hint: `Copy it again from the dashboard: settings, API keys. It starts with svc_.${anew}`,
    },
  );
}

/** Explains an error without a verdict: the key is not stored, and whoever reads the error should not have to guess. */
function toNotStoredError(error: unknown, baseUrl: string, anew: string): unknown {
  if (!(error instanceof PixctlError)) return error;
  const isAnswered = ['refused', 'notFound', 'unexpected'].includes(error.kind);
  // whoami would not help: it would find neither the profile nor the key.
  const hint = error.hint?.includes('pixctl whoami')
    ? `Check the address ${baseUrl}: it may lack a path, such as the /v1 of https://api.example.com/v1.`
    : error.hint;
  const hints = [hint, isAnswered ? 'To store the key without asking: --no-check.' : undefined];
  const whole = `${hints.filter((each) => each !== undefined).join(' ')}${anew}`.trim();
  return rewordError(error, {
    message: `${removeNothingSent(error.message)} The key was not stored.`,
    ...(whole !== '' && { hint: whole }),
  });
}

function reportKeyLocation(
  runtime: Runtime,
  config: Config,
  { profile: saved, whyInFile, left }: Saved,
  output: { note(text: string): void; warn(text: string): void },
): void {
  if (saved.keySource === 'keychain') output.note('The key is stored in the OS keychain.');
  else
    output.warn(
      `The key is stored in ${join(config.directories.config, 'secrets.json')}, ${config.hasModes ? 'readable only by you (mode 0600), ' : ''}and not in an OS keychain${whyInFile === null ? '' : `: ${whyInFile}`}.`,
    );
  if (left !== null)
    output.warn(
      `The earlier key is still in the OS keychain, which did not remove it (${left.why}). Remove it there (service pixctl, account ${left.account}), or revoke it in the dashboard.`,
    );
  const { environment } = runtime;
  const wins = ['PIXCTL_API_KEY', 'PIXCTL_API_KEY_FILE', 'PIXCTL_BASE_URL'].filter(
    (each) => environment[each],
  );
  if (wins.length > 0)
    output.warn(
      `${wins.join(' and ')} ${wins.length === 1 ? 'is set and wins' : 'are set and win'} over this profile; unset ${wins.length === 1 ? 'it' : 'them'}, or name the profile with -p ${saved.name}.`,
    );
}
