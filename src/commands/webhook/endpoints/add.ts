/** `webhook add`: registers an endpoint, and stores the once-only secret before it is shown. */
import { eventNames } from '../../../contract/event-names.ts';
import { isLoopback } from '../../../contract/loopback.ts';
import { isPrivateHost } from '../../../contract/private-host.ts';
import { webhookLimits } from '../../../contract/webhook.ts';
import { messageOf, PixctlError, usageError } from '../../../errors.ts';
import { commandLine, nonInteractiveNote } from '../../../flags/command-line.ts';
import { unwritableFileError } from '../../../flags/file-remedies.ts';
import { untilShown } from '../../../runtime/completed-action.ts';
import type { Runtime } from '../../../runtime.ts';
import { makeVisible } from '../../../terminal/escape.ts';
import type { Output } from '../../../terminal/output.ts';
import { parseEvents } from '../event-choice.ts';
import { identifySandbox } from '../identify-sandbox.ts';
import { addedView } from '../view.ts';
import { type Registered, registerEndpoint } from './endpoints.ts';

export interface AddFlags {
  readonly url?: string;
  readonly events?: string;
  readonly secretFile?: string;
  readonly urlField: string;
}

export async function add(runtime: Runtime, flags: AddFlags): Promise<void> {
  const output = await runtime.output(addedView);
  const url = await readUrl(runtime, flags.url ?? (await askUrl(runtime)));
  const events =
    flags.events === undefined ? await askEvents(runtime) : parseEvents(flags.events, output.warn);
  const { secretFile, urlField } = flags;
  if (!/^[A-Za-z]\w{0,63}$/.test(urlField))
    throw usageError(`"${urlField}" is not a field name. Nothing was sent.`);
  if (runtime.globals.dryRun === true) return showRequest(output, { [urlField]: url, events });
  if (flags.url === undefined || flags.events === undefined)
    output.note(
      nonInteractiveNote(runtime.globals, [
        ...['pixctl', 'webhook', 'add', '--url', url, '--events', events.join(',')],
        ...(secretFile === undefined ? [] : ['--secret-file', secretFile]),
        ...(urlField === 'url' ? [] : ['--url-field', urlField]),
      ]),
    );
  const file = secretFile === undefined ? null : await reserve(secretFile);
  const wanted = { url, events, urlField, mustKeep: file === null };
  const registered = await registerEndpoint(runtime, wanted).catch(async (cause: unknown) => {
    await file?.giveUp();
    throw cause;
  });
  const { id, secret, storedIn, answer, doubt } = registered;
  const what = `The endpoint ${id} ${isOrMayBe(registered)} registered for ${url}.`;
  runtime.flight.completed = { what, hint: whereSecretIs(registered) };
  if (file !== null) {
    await file.write(secret).catch((cause: unknown) => {
      throw new PixctlError(
        doubt?.kind ?? 'unexpected',
        'RESULT_NOT_WRITTEN',
        `${what} Its secret could not be written to ${secretFile}: ${messageOf(cause)}.`,
        { hint: whereSecretIs(registered), cause },
      );
    });
    runtime.flight.completed = { what, hint: `Its secret is in ${secretFile}.` };
  }
  const fields = file === null ? answer : omitSecret(secret, answer);
  await untilShown(output, output.show(addedView, { ...fields, id, url, events }), doubt);
  if (storedIn === null && file === null) throw secretNotKept(runtime, output, registered);
  if (file !== null) output.note(`The secret is in ${secretFile}.`);
  if (storedIn !== null) output.note(`The secret is stored here too (${storedIn}): ${listenLine(id)}`);
  if (doubt !== null) throw doubt;
}

async function showRequest(output: Output, request: Record<string, string | string[]>): Promise<void> {
  const columns = Object.keys(request).map((key) => ({
    key,
    header: key,
    value: (it: typeof request) => [it[key]].flat().join(', '),
  }));
  await output.show({ name: 'request', columns }, request);
  output.note('Dry run: POST /webhooks would send this. Nothing was sent.');
}

const isOrMayBe = ({ doubt }: Registered): string => (doubt === null ? 'is' : 'may be');

/** The error for a secret that is nowhere but in the output, where this makes sure that it is. */
function secretNotKept(
  { io }: Runtime,
  { options: { fields, filter } }: Output,
  registered: Registered,
): PixctlError {
  const { secret, doubt } = registered;
  // In doubt, a run whose output cannot be written comes here too.
  if (fields !== null || filter !== undefined || doubt !== null)
    io.writeError(makeVisible(`The secret of the endpoint: ${secret}`));
  // 74 would say that nothing was sent.
  return new PixctlError(
    doubt?.kind ?? 'unexpected',
    'SECRET_NOT_KEPT',
    `The endpoint ${isOrMayBe(registered)} registered, but its secret could not be stored here.`,
    { hint: 'It is shown above, and nowhere else: copy it now. The service does not show it again.' },
  );
}

/** Removes a secret from an answer, under whatever name and however deep it stands. */
function omitSecret(secret: string, answer: object): object {
  const written = JSON.stringify(secret).slice(1, -1);
  return Object.fromEntries(
    Object.entries(answer).filter(([, value]) => JSON.stringify(value)?.includes(written) !== true),
  );
}

/** Says where the secret is, for a run that could show neither the endpoint nor its secret. */
function whereSecretIs({ id, storedIn }: Registered): string {
  return storedIn === null
    ? 'Its secret is lost: the service does not show it again. Register another endpoint, with --secret-file.'
    : `Its secret is stored here (${storedIn}): ${listenLine(id)}`;
}

const listenLine = (id: string): string => commandLine(['pixctl', 'webhook', 'listen', '--endpoint', id]);

async function readUrl(runtime: Runtime, typed: string): Promise<string> {
  // A URL is read without the spaces around it, so it is sent without them, too.
  const text = typed.trim();
  // A sandbox may have been started so that it takes plain http to private names, and refuses it otherwise.
  const problem = urlProblem(text) && urlProblem(text, (await identifySandbox(runtime)) !== null);
  if (problem === null) return text;
  throw usageError(
    `${problem}. Nothing was sent.`,
    'Give it in full, like https://shop.example.com/hooks; for a sandbox on this machine, http://localhost:3000/hooks will do.',
  );
}

function urlProblem(text: string, isSandbox = false): string | null {
  const url = URL.parse(text);
  if (url !== null && (url.username !== '' || url.password !== '')) {
    return 'An address with a user name or password in it cannot be registered';
  }
  const takesPlain = url !== null && (isLoopback(url.hostname) || (isSandbox && isPrivateHost(url.hostname)));
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && takesPlain)
    ? null
    : `"${text}" cannot receive deliveries: the service accepts only HTTPS addresses`;
}

async function askUrl(runtime: Runtime): Promise<string> {
  const prompter = await runtime.prompter();
  if (!prompter.canAsk)
    throw usageError(
      '--url is missing. Nothing was sent.',
      'For example: pixctl webhook add --url https://shop.example.com/pix --events CHARGE_PAID',
    );
  return prompter.input({
    message: 'HTTPS address that will receive the deliveries',
    validate: (text) => urlProblem(text) ?? true,
  });
}

async function askEvents(runtime: Runtime): Promise<string[]> {
  const prompter = await runtime.prompter();
  if (!prompter.canAsk) {
    throw usageError(
      '--events is missing. Nothing was sent.',
      `Give 1 to 8 of: ${eventNames.join(', ')}; or all.`,
    );
  }
  return prompter.checkbox({
    message: 'Events to subscribe to',
    choices: eventNames.map((value) => ({
      value: value as string,
      name: value === 'CHARGE_EXPIRED' ? `${value} (nothing sends it at present)` : value,
      checked: value !== 'CHARGE_EXPIRED',
    })),
    validate: (chosen) => chosen.length >= webhookLimits.events.min || 'Choose at least one.',
  });
}

/** Longer than any secret, and less than a block of most file systems. */
const room = '\n'.repeat(1_024);

/**
 * Creates and fills the file before anything is sent, so that the secret is sure to have a place even on a full disk.
 */
async function reserve(path: string) {
  const { open, unlink } = await import('node:fs/promises');
  const file = await open(path, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'EEXIST'
      ? usageError(
          `The file ${path} exists already, and is not overwritten. Nothing was sent.`,
          'Name another file; or remove this one, if the endpoint whose secret it holds is no longer used.',
        )
      : unwritableFileError(path, cause);
  });
  /** Never rejects: the caller throws what made it give up, even if the file cannot be removed. */
  const giveUp = async () => {
    await file.close().catch(() => {});
    await unlink(path).catch(() => {});
  };
  try {
    // Written at a given place, so that the next write begins at the start again.
    await file.write(room, 0);
    await file.sync();
  } catch (cause) {
    await giveUp();
    throw unwritableFileError(path, cause);
  }
  return {
    giveUp,
    async write(secret: string) {
      const line = Buffer.from(`${secret}\n`);
      await file.writeFile(line);
      await file.truncate(line.length);
      await file.sync();
      await file.close();
    },
  };
}
