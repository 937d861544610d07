/** Shows a request as the command that makes it. */
import { parseObject } from '../../contract/json-object.ts';
import { flagWords } from '../../flags/command-line.ts';
import { shellQuote } from '../../page/curl.ts';
import type { LoggedRequest } from '../wire/logged-request.ts';

/** What `pixctl api` can make. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Returns the verb if there is one for it, otherwise `pixctl api`; null for what neither can send. */
export function pixctlCommandOf({ method, target, operation, request }: LoggedRequest): string | null {
  const body = parseObject(request ?? '') ?? {};
  // Not with `URL`, which takes the beginning of `//` for a host.
  const query = new URLSearchParams(target.slice(/\?|$/.exec(target)?.index));
  const id = query.get('id');
  if (operation === 'createCharge' && typeof body.amount === 'number') {
    return commandText('charge create', [
      ['--amount', body.amount],
      ['--description', body.description],
      ['--customer', body.customerId],
      ['--expires-in', body.expiresIn],
    ]);
  }
  if (operation === 'getCharge' && id !== null) return commandText(`charge get ${argument(id)}`, []);
  if (operation === 'refundCharge' && id !== null) return commandText(`charge refund ${argument(id)}`, []);
  if (operation === 'createWithdrawal' && typeof body.amount === 'number') {
    return commandText('withdraw', [
      ['--amount', body.amount],
      ['--to', body.pixKey],
      ['--type', body.pixKeyType],
    ]);
  }
  if (!methods.includes(method) || !target.startsWith('/')) return null;
  const plain = `pixctl --profile sandbox api ${method} ${shellQuote(target)}`;
  return request === null ? plain : `printf %s ${shellQuote(request)} | ${plain} --input -`;
}

/** One that begins with a dash would be a flag, and anybody may have sent the request. */
const argument = (id: string): string => `${id.startsWith('-') ? '-- ' : ''}${shellQuote(id)}`;

const commandText = (verb: string, flags: readonly (readonly [string, unknown])[]): string =>
  [`pixctl --profile sandbox ${verb}`]
    .concat(
      flags.flatMap(([flag, value]) => (value == null ? [] : flagWords(flag, String(value)).map(shellQuote))),
    )
    .join(' ');
