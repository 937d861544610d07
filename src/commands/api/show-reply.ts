/** Shows an answer on stdout: indented on a terminal, with nothing in it that a terminal would obey. */
import type { Reply } from '../../api/exchange.ts';
import { parseJson } from '../../api/json.ts';
import type { Runtime } from '../../runtime.ts';
import { escapeJson, makeVisible } from '../../terminal/escape.ts';
import type { Output } from '../../terminal/output.ts';
import type { View } from '../../terminal/view.ts';
import { writeAsItCame } from '../../terminal/write-as-it-came.ts';

/** For what is written whole, as it came. */
export const itemView: View<object> = { name: 'item', columns: [] };

interface Shown {
  readonly include: boolean;
  /** It was requested by name, so a parser reads what follows, whatever the answer is. */
  readonly json: boolean;
  /** What the answer means for the run, if that is not success. */
  readonly error: Error | null;
}

/**
 * Writes an answer. The expression of `--jq` is meant for an answer that was hoped for: any other goes to stderr as it
 * came.
 */
export async function showReply(
  { io }: Pick<Runtime, 'io'>,
  output: Pick<Output, 'options' | 'show'>,
  reply: Reply,
  { include, json: strict, error }: Shown,
): Promise<void> {
  if (include) await io.write(headText(reply));
  if (reply.body.byteLength === 0) return;
  if (output.options.filter !== undefined)
    return error === null
      ? output.show(itemView, valueIn(reply.body) as object)
      : io.writeError(textOf(reply.body));
  const json = jsonOf(reply.body, io.stdoutIsTerminal);
  if (json !== null) return io.write(`${json}\n`);
  if (strict) return io.write(`${textOf(reply.body)}\n`);
  await writeAsItCame(io, reply.body);
}

/** Writes the body that a dry run would send, or what the expression of `--jq` makes of it. */
export async function showRequestBody(
  { io }: Pick<Runtime, 'io'>,
  output: Pick<Output, 'options' | 'show'>,
  body: string | undefined,
): Promise<void> {
  if (body === undefined) return;
  if (output.options.filter !== undefined)
    return output.show(itemView, valueIn(new TextEncoder().encode(body)) as object);
  await writeAsItCame(io, Buffer.from(`${body}\n`));
}

/** Returns `200`, then one `name: value` per line, then an empty line. */
export function headText({ status, headers }: Reply): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => makeVisible(`${name}: ${one}`)),
  );
  return `${[String(status), ...lines].join('\n')}\n\n`;
}

/** The value of a body; its text if it is no JSON. */
function valueIn(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

const textOf = (body: Uint8Array): string => escapeJson(JSON.stringify(valueIn(body)));

function jsonOf(body: Uint8Array, indent: boolean): string | null {
  try {
    return escapeJson(JSON.stringify(parseJson(body), null, indent ? 2 : undefined));
  } catch {
    return null;
  }
}
