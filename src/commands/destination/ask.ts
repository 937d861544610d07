/** Asks for the parts of a destination. */
import type { Command } from 'commander';
import { parsePixKey } from '../../contract/pix-key.ts';
import { maskPixKey } from '../../contract/pix-key-mask.ts';
import { pixKeyTypes } from '../../contract/withdrawal.ts';
import { PixctlError } from '../../errors.ts';
import { parseKeyType } from '../../flags/key-type.ts';
import { askText, choose } from '../../runtime/choose.ts';
import type { Runtime } from '../../runtime.ts';
import { parseDestinationName, readDestinations } from '../../withdrawal/policy/destinations.ts';

/** Asks for the key, and for its type if the key alone could be of several. */
export async function askKey(runtime: Runtime, command: Command): Promise<readonly string[]> {
  const { type: given } = command.opts<{ type?: string }>();
  const type = given === undefined ? undefined : parseKeyType(given);
  const [key] = await askText(runtime, 'PIX key (CPF, CNPJ, e-mail, phone or random key):', (text) => {
    const parsed = parsePixKey(text, type);
    return parsed.ok || (type === undefined && readings(text).length > 0) ? null : parsed.reason;
  });
  if (parsePixKey(key, type).ok) return [key];
  const prompter = await runtime.prompter();
  return [key, '--type', await prompter.select({ message: 'Which type is it?', choices: readings(key) })];
}

/** Returns what it could be. */
const readings = (text: string) =>
  pixKeyTypes.flatMap((type) => {
    const parsed = parsePixKey(text, type);
    return parsed.ok ? [{ value: type, name: `${type} (${parsed.key})` }] : [];
  });

export const askName = (runtime: Runtime) =>
  askText(runtime, 'Name to save it under:', (text) => {
    try {
      parseDestinationName(text);
      return null;
    } catch (error) {
      if (error instanceof PixctlError) return error.message;
      throw error;
    }
  });

export async function chooseDestination(runtime: Runtime) {
  return choose(runtime, {
    which: 'Which destination?',
    typed: null,
    async loadChoices() {
      const saved = readDestinations(await runtime.config());
      return [...saved.values()].map(({ name, pixKey, pixKeyType }) => ({
        value: name,
        name: `${name}  ${maskPixKey(pixKey, pixKeyType)}  ${pixKeyType}`,
      }));
    },
  });
}
