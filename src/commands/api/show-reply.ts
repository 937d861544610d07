/** Shows an answer on stdout: indented on a terminal, with nothing in it that a terminal would obey. */
import type { Reply } from '../../api/exchange.ts';
import { parseJson } from '../../api/json.ts';
import type { Runtime } from '../../runtime.ts';
import { escapeJson, makeVisible } from '../../terminal/escape.ts';

/** Writes an answer. `json`: was requested by name, so a parser reads what follows, whatever the answer is. */
export async function showReply(
  { io }: Pick<Runtime, 'io'>,
  reply: Reply,
  { include, json: strict }: { readonly include: boolean; readonly json: boolean },
): Promise<void> {
  if (include) await io.write(headText(reply));
  if (reply.body.byteLength === 0) return;
  const json = jsonOf(reply.body, io.stdoutIsTerminal);
  if (json !== null) return io.write(`${json}\n`);
  if (strict) return io.write(`${escapeJson(JSON.stringify(new TextDecoder().decode(reply.body)))}\n`);
  // Anything but JSON goes to a file or a pipe byte for byte, and to a terminal made visible.
  if (!io.stdoutIsTerminal) return io.write(reply.body);
  await io.write(`${makeVisible(new TextDecoder().decode(reply.body), { keep: 'lines' })}\n`);
}

/** Returns `200`, then one `name: value` per line, then an empty line. */
export function headText({ status, headers }: Reply): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => makeVisible(`${name}: ${one}`)),
  );
  return `${[String(status), ...lines].join('\n')}\n\n`;
}

function jsonOf(body: Uint8Array, indent: boolean): string | null {
  try {
    return escapeJson(JSON.stringify(parseJson(body), null, indent ? 2 : undefined));
  } catch {
    return null;
  }
}
