/**
 * `pixctl api`: sends one request of the caller's choice, shows the answer as it is, and exits with a truthful code.
 */
import type { OutgoingRequest, Reply } from '../../api/exchange.ts';
import { hideSecrets, type PixctlError, rewordError, usageError } from '../../errors.ts';
import { inputLimits, isStdin } from '../../flags/input.ts';
import type { CompletedAction } from '../../runtime/completed-action.ts';
import { readInputFile } from '../../runtime/input-file.ts';
import { announce, confirmSending, runToCompletion } from '../../runtime/sending.ts';
import type { Runtime } from '../../runtime.ts';
import { bodyOf, type ReadFile, readFields, withQuery } from './fields.ts';
import { paginate } from './paginate.ts';
import { parseMethod, parsePath, refuseWithdrawal } from './request.ts';
import { showReply, showRequestBody } from './show-reply.ts';
import { verdictOf } from './verdict.ts';

export interface ApiFlags {
  readonly rawField: readonly string[];
  readonly field: readonly string[];
  readonly input?: string;
  readonly paginate?: boolean;
  readonly include?: boolean;
}

/** Throws 64 for a line that cannot be sent, 87 for a withdrawal; otherwise as the answer says (`verdictOf`). */
export async function call(runtime: Runtime, verb: string, where: string, flags: ApiFlags): Promise<void> {
  const output = await runtime.output();
  if (output.options.format === 'csv')
    throw usageError(
      'pixctl api prints JSON: -o csv does not apply. Nothing was sent.',
      "A line of csv for each item of a list: --jq '.data[] | [.id, .amount] | @csv'",
    );
  if (output.options.fields !== null)
    throw usageError(
      'pixctl api prints the whole answer: --fields does not apply. Nothing was sent.',
      'Parts of it: --jq .data.id',
    );
  const request = await build(runtime, verb, where, flags);
  const sends = request.method !== 'GET';
  if (flags.paginate === true && sends) throw usageError('--paginate is for GET. Nothing was sent.');
  const said = hideSecrets(`${request.method} ${request.path}`);
  if (sends || runtime.globals.dryRun === true) await announce(runtime, said);
  if (runtime.globals.dryRun === true) {
    await showRequestBody(runtime, output, request.body);
    return output.note('Dry run. Nothing was sent.');
  }
  if (sends) await confirmSending(runtime, `Send ${said}?`);
  if (flags.paginate === true) return paginate(runtime, request, flags.include === true);

  const api = await runtime.api();
  const judge = (reply: Reply) => {
    const error = verdictOf(request, reply, api, runtime.clock.now());
    return error === null || request.body === undefined ? error : textForNumber(error, flags);
  };
  const ask = () => api.raw(request);
  const reply = sends
    ? await runToCompletion(runtime, ask, (answer) =>
        judge(answer) === null ? requestCompleted(request, answer) : null,
      )
    : await ask();
  const error = judge(reply);
  const shown = { include: flags.include === true, json: output.options.format !== 'table', error };
  await showReply(runtime, output, reply, shown).catch((cause: unknown) => {
    throw error ?? cause;
  });
  if (error !== null) throw error;
}

/** Adds to a refusal how to send a number, if it names a field that looks like one and was sent as text. */
function textForNumber(error: PixctlError, { rawField, input }: ApiFlags): PixctlError {
  const field = rawField.find((each) => {
    const [, name = ''] = /^(\w+)=(?:\d+|true|false|null)$/.exec(each) ?? [];
    return name !== '' && error.message.includes(name);
  });
  if (error.kind !== 'refused' || error.hint !== undefined || field === undefined || input !== undefined)
    return error;
  return rewordError(error, {
    hint: `-f sends text; -F ${hideSecrets(field)} sends a number, true, false or null.`,
  });
}

const requestCompleted = ({ method, path }: OutgoingRequest, { status }: Reply): CompletedAction => ({
  what: `${method} ${path} was sent and answered with ${status}.`,
  hint: 'Check what it did before you send it again.',
});

async function build(
  runtime: Runtime,
  verb: string,
  where: string,
  flags: ApiFlags,
): Promise<OutgoingRequest> {
  const method = parseMethod(verb);
  const { baseUrl } = (await runtime.config()).profile();
  const path = parsePath(where, baseUrl);
  refuseWithdrawal(method, new URL(baseUrl).pathname + path);
  const { timeoutMs } = await runtime.api();
  const read = readerOf(runtime);
  const fields = await readFields(flags.rawField, flags.field, read);
  if (flags.input !== undefined) {
    if (method === 'GET') throw usageError('A GET has no body: --input does not apply. Nothing was sent.');
    return { method, timeoutMs, path: withQuery(path, fields), body: jsonText(await read(flags.input)) };
  }
  if (method === 'GET') return { method, timeoutMs, path: withQuery(path, fields) };
  return {
    method,
    timeoutMs,
    path,
    ...(fields.length === 0 ? {} : { body: JSON.stringify(bodyOf(fields)) }),
  };
}

/** Returns a reader that lets stdin be read only once. */
function readerOf(runtime: Runtime): ReadFile {
  let stdinIsRead = false;
  return async (path) => {
    if (isStdin(path)) {
      if (stdinIsRead)
        throw usageError('stdin is named twice. Nothing was sent.', 'Give one of the two in a file.');
      stdinIsRead = true;
    }
    return readInputFile(runtime, path, { atMost: inputLimits.body });
  };
}

function jsonText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    JSON.parse(text);
    return text;
  } catch {
    throw usageError(
      'The body is not JSON. Nothing was sent.',
      'Give one JSON value in UTF-8, or build it with -f and -F.',
    );
  }
}
