/** `config get | set | unset | list | path`. */
import { join } from 'node:path';
import { checkSetting, settingOf } from '../../config/settings.ts';
import { isObject } from '../../contract/json-object.ts';
import { rewordNothingSent } from '../../errors.ts';
import { confirmChange } from '../../runtime/confirm.ts';
import { checkNamedProfile, noteChangeForAllProfiles } from '../../runtime/every-profile.ts';
import type { Runtime } from '../../runtime.ts';
import type { View } from '../../terminal/view.ts';
import { defaultPolicy } from '../../withdrawal/policy/policy.ts';

interface Setting {
  readonly name: string;
  readonly value: unknown;
}

export const settingView: View<Setting> = {
  name: 'setting',
  columns: [
    { key: 'name', header: 'Setting' },
    { key: 'value', header: 'Value', value: ({ value }) => textOf(value) },
  ],
};

interface Paths {
  readonly settings: string;
  readonly secrets: string;
  readonly state: string;
}

export const pathsView: View<Paths> = {
  name: 'path',
  columns: [
    { key: 'settings', header: 'Settings' },
    { key: 'secrets', header: 'Secrets' },
    { key: 'state', header: 'State' },
  ],
};

/**
 * Shows one setting: any name that `config list` shows, such as `policy.maxPerDay`. In a table it is a bare line, for
 * `$(…)`. Throws a usage error (64) for a name that does not exist: an empty answer would say that it is not set.
 */
export async function getSetting(runtime: Runtime, name: string): Promise<void> {
  const output = await runtime.output(settingView);
  await checkNamedProfile(runtime);
  const value = (await runtime.config()).get(name) ?? null;
  if (value === null) checkSetting(name, writtenElsewhere);
  if (output.options.format === 'table' && output.options.fields === null) return output.text(textOf(value));
  return output.show(settingView, { name, value });
}

/** Throws a usage error (64) for an unknown name or a value that makes no sense. */
export async function setSetting(runtime: Runtime, name: string, value: string): Promise<void> {
  const parsed = await rewordNothingSent('changed', () => settingOf(name).parse(value));
  const output = await runtime.output(settingView);
  await noteChangeForAllProfiles(runtime, 'Settings hold');
  await (await runtime.config()).set(name, parsed);
  await output.done(settingView, { name, value: parsed }, `${name} is now ${parsed}.`);
}

/**
 * Removes a setting. A person may also let go of the pinned ledger, because one that is lost would stop every
 * withdrawal.
 */
export async function unsetSetting(runtime: Runtime, name: string): Promise<void> {
  if (name !== pinnedLedger) settingOf(name);
  const output = await runtime.output(settingView);
  await noteChangeForAllProfiles(runtime, 'Settings hold');
  if (name === pinnedLedger) await confirmChange(runtime, newLedgerQuestion);
  await (await runtime.config()).set(name, undefined);
  await output.done(settingView, { name, value: null }, `${name} is no longer set.`);
}

const pinnedLedger = 'ledger.id';
/** What may be unset and read besides the settings that `config set` takes. */
const writtenElsewhere = [pinnedLedger, ...Object.keys(defaultPolicy).map((rule) => `policy.${rule}`)];
const newLedgerQuestion =
  'Accept any ledger that is found next, even a new one? It may not know what was sent: a withdrawal that is run again could be paid twice.';

export async function listSettings(runtime: Runtime): Promise<void> {
  const output = await runtime.output();
  await checkNamedProfile(runtime);
  await output.each(settingView, flatten('', (await runtime.config()).settings()));
}

export async function showPaths(runtime: Runtime): Promise<void> {
  const output = await runtime.output(pathsView);
  const config = await runtime.config();
  await output.show(pathsView, {
    settings: config.path,
    secrets: join(config.directories.config, 'secrets.json'),
    state: config.directories.state,
  });
}

function* flatten(prefix: string, value: unknown): Generator<Setting> {
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value))
      yield* flatten(prefix === '' ? key : `${prefix}.${key}`, inner);
  } else {
    yield { name: prefix, value };
  }
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
