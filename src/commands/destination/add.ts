/** `pixctl destination add <name> --key`. */
import { parsePixKey } from '../../contract/pix-key.ts';
import { maskPixKey } from '../../contract/pix-key-mask.ts';
import { usageError } from '../../errors.ts';
import { parseKeyType } from '../../flags/key-type.ts';
import { agreed } from '../../runtime/agreed.ts';
import type { Runtime } from '../../runtime.ts';
import {
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
  const [config, output] = await Promise.all([runtime.config(), runtime.output()]);
  output.check(destinationView);
  const name = parseDestinationName(nameText);
  const type = flags.type === undefined ? undefined : parseKeyType(flags.type);
  const parsed = parsePixKey(flags.key, type);
  if (!parsed.ok) throw usageError(`--key: ${parsed.reason}. Nothing was changed.`, parsed.hint);
  const destination = { name, pixKey: parsed.key, pixKeyType: parsed.type };
  const before = readDestinations(config).get(name);
  if (before !== undefined && before.pixKey !== destination.pixKey)
    await agreed(
      runtime,
      `"${name}" is ${maskPixKey(before.pixKey, before.pixKeyType)} now. Replace it with ${maskPixKey(parsed.key, parsed.type)} (${parsed.type})?`,
    );
  await saveDestination(config, destination);
  output.note(`Saved. Pay it with: pixctl withdraw --to ${name}`);
  await output.show(destinationView, destination);
}
