/** `webhook sign`: prints the signature header of a payload. */
import { signatureHeader, sign as signBody } from '../../../contract/signature.ts';
import { rewordNothingSent, usageError } from '../../../errors.ts';
import type { Runtime } from '../../../runtime.ts';
import type { View } from '../../../terminal/view.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import type { SecretFlags } from '../secrets/secrets.ts';
import { readPayload } from './payload.ts';

export interface SignFlags extends SecretFlags {
  readonly payloadFile: string;
  readonly timestamp?: string;
}

interface Signed {
  readonly header: string;
  readonly value: string;
}

export async function sign(runtime: Runtime, flags: SignFlags): Promise<void> {
  const output = await runtime.output(signedView);
  const timestamp = readTimestamp(flags.timestamp, runtime.clock.now());
  const body = await readPayload(runtime, flags.payloadFile, flags);
  const read = () => requireSecret(runtime, flags);
  // Every command has the same words for a file that cannot be read.
  const secret = await (flags.endpoint === undefined ? read() : rewordNothingSent('signed', read));
  const value = signBody({ secret, body, timestamp });
  // For `$(pixctl webhook sign ...)`: the value alone, even on a terminal.
  if (output.options.format === 'table' && output.options.fields === null) return output.text(value);
  await output.show(signedView, { header: signatureHeader, value });
}

function readTimestamp(text: string | undefined, now: number): number {
  if (text === undefined) return Math.floor(now / 1000);
  if (/^\d{13}$/.test(text))
    throw usageError(`--timestamp ${text} looks like milliseconds. Nothing was signed.`, 'Give seconds.');
  if (!/^\d{1,12}$/.test(text))
    throw usageError(`--timestamp takes Unix time in seconds, not "${text}". Nothing was signed.`);
  return Number(text);
}

export const signedView: View<Signed> = {
  name: 'signature',
  columns: [
    { key: 'header', header: 'Header' },
    { key: 'value', header: 'Value' },
  ],
};
