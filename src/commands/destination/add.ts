/** `pixctl destination add <name> --key`. */
import { parsePixKey } from '../../contract/pix-key.ts';
import { maskPixKey } from '../../contract/pix-key-mask.ts';
import { asSentence, usageError } from '../../errors.ts';
import { parseKeyType } from '../../flags/key-type.ts';
import { confirmChange } from '../../runtime/confirm.ts';
import { noteChangeForAllProfiles } from '../../runtime/every-profile.ts';
import type { Runtime } from '../../runtime.ts';
import {
  type Destination,
  parseDestinationName,
  readDestinations,
  saveDestination,
} from '../../withdrawal/policy/destinations.ts';
import { destinationView } from './view.ts';

export async function add(
  runtime: Runtime,
  nameText: string,
  flags: { readonly key: string; readonly type?: string },
): Promise<void> {
  const output = await runtime.output(destinationView);
  const config = await runtime.config();
  const name = parseDestinationName(nameText);
  const type = flags.type === undefined ? undefined : parseKeyType(flags.type);
  const parsed = parsePixKey(flags.key, type);
  if (!parsed.ok) throw usageError(`--key: ${parsed.reason}. Nothing was changed.`, asSentence(parsed.hint));
  const destination = { name, pixKey: parsed.key, pixKeyType: parsed.type };
  await noteChangeForAllProfiles(runtime, 'Destinations are saved');
  const before = readDestinations(config).get(name);
  if (before !== undefined && before.pixKey !== destination.pixKey) {
    const [now, next] = maskDistinctly(before, destination);
    await confirmChange(runtime, `"${name}" is ${now} now. Replace it with ${next} (${parsed.type})?`);
  }
  await saveDestination(config, destination);
  runtime.flight.completed = {
    what: `The destination "${name}" is saved.`,
    hint: 'pixctl destination list shows it.',
  };
  output.note(`Saved. Pay it with: pixctl withdraw --to ${name}`);
  await output.show(destinationView, destination);
}

/** Masks both keys, unless they would then look the same: only whole keys can be compared in that case. */
function maskDistinctly(...both: readonly [Destination, Destination]): readonly [string, string] {
  const [now, next] = both.map(({ pixKey, pixKeyType }) => maskPixKey(pixKey, pixKeyType));
  return now === undefined || next === undefined || now === next
    ? [both[0].pixKey, both[1].pixKey]
    : [now, next];
}
