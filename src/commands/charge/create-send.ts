/** The second half of `pixctl charge create`: announces the charge, sends once, checks what came, shows it. */
import { mayHaveTakenEffect, RefusedError } from '../../api/refusal.ts';
import { sandboxProfile } from '../../config/profile.ts';
import type { IdempotencyKey } from '../../contract/brand.ts';
import type { Charge, CreateChargeBody } from '../../contract/charge.ts';
import { PixctlError, rewordError } from '../../errors.ts';
import { commandLine, nonInteractiveNote } from '../../flags/command-line.ts';
import { parseKey } from '../../flags/idempotency-key.ts';
import type { CompletedAction } from '../../runtime/completed-action.ts';
import { announce, rethrowUnsent, runToCompletion } from '../../runtime/sending.ts';
import type { Runtime } from '../../runtime.ts';
import { getChargeLine, readCharge } from './read.ts';
import { type CreateFlags, describeBody, nonInteractiveWords } from './request.ts';
import { isPayable, showWithCode, showWithoutCode, warnOfCode } from './show-code.ts';

/** Bound on the single request of a create that goes on to wait. Milliseconds. */
const longestSendMs = 30_000;

interface CreateInput {
  readonly flags: CreateFlags;
  readonly body: CreateChargeBody;
  /** Whether some of the flags were asked for. */
  readonly asked: boolean;
}

/** A charge that now exists. */
interface CreateResult {
  readonly charge: Charge;
  /** Whether its key had it already, so that nothing was sent. */
  readonly replayed: boolean;
}

/** Sends nothing with `--dry-run`. A lost answer is 81; with an idempotency key, errors are those of `createOnce`. */
export async function sendAndShow(runtime: Runtime, { flags, body, asked }: CreateInput): Promise<void> {
  const output = await runtime.output();
  if (runtime.globals.dryRun === true) return showDryRun(runtime, flags, body);
  if (flags.png !== undefined) await (await import('./png-file.ts')).reserveFile(runtime, flags.png);
  await announce(runtime, describeBody(body));

  // Looked up before the send: what was created is shown without waiting for the ledger.
  const warnOfElsewhere =
    flags.idempotencyKey === undefined ? null : await lookElsewhere(runtime, flags.idempotencyKey);
  const made = await runToCompletion(runtime, () => send(runtime, flags, body), createdAction).catch(
    (error: unknown) => {
      if (error instanceof PixctlError && error.kind === 'unknown')
        warnOfElsewhere?.('a second charge may exist here');
      throw error;
    },
  );
  const { charge } = made;
  if (made.replayed)
    output.note(`The key ${flags.idempotencyKey} already belongs to this charge. Nothing was sent.`);
  await warnOfCode(runtime, charge, body.amount);
  const shown = await show(runtime, made, flags).finally(() => {
    if (!made.replayed) warnOfElsewhere?.(`${charge.id} is a second charge`);
  });
  if (asked) output.note(nonInteractiveNote(runtime.globals, nonInteractiveWords(flags)));
  if (flags.wait === true) {
    const { followTo } = await import('./follow.ts');
    await followTo(runtime, charge, { alreadyShown: shown, changedByThisRun: true });
  }
}

/** Resolves with what warns of the charge that the key has at another address; it says nothing if there is none. */
async function lookElsewhere(runtime: Runtime, key: string): Promise<(made: string) => void> {
  const { findChargeElsewhere, keyElsewhereWords } = await import('./key-elsewhere.ts');
  const found = await findChargeElsewhere(runtime, parseKey('--idempotency-key', key));
  const output = await runtime.output();
  return (made) => {
    if (found !== null) output.warn(keyElsewhereWords(found, made));
  };
}

async function send(
  runtime: Runtime,
  { idempotencyKey, wait }: CreateFlags,
  body: CreateChargeBody,
): Promise<CreateResult> {
  const api = await runtime.api();
  // With --wait, --timeout is meant for the wait.
  const timeoutMs = wait === true ? Math.min(api.timeoutMs, longestSendMs) : api.timeoutMs;
  if (idempotencyKey === undefined) {
    return {
      charge: await api.call('createCharge', { body }, { timeoutMs }).catch(rethrowLostAnswer(body)),
      replayed: false,
    };
  }
  return createKeyed(runtime, parseKey('--idempotency-key', idempotencyKey), body, timeoutMs);
}

async function createKeyed(
  runtime: Runtime,
  idempotencyKey: IdempotencyKey,
  body: CreateChargeBody,
  timeoutMs: number,
): Promise<CreateResult> {
  const { openProtocol } = await import('./protocol.ts');
  const { createOnce } = await import('../../keyed-charge/create-once.ts');
  const { scope, dependencies } = await openProtocol(runtime, timeoutMs);
  const made = await createOnce(dependencies, { scope, idempotencyKey, body }).catch((error: unknown) => {
    // A failure of the ledger is reported as such only before the first byte; after it, the outcome is unknown.
    if (error instanceof PixctlError && error.kind === 'storage') rethrowUnsent(error);
    throw error;
  });
  return made.kind === 'created'
    ? { charge: made.charge, replayed: false }
    : {
        charge: await readCharge(runtime, made.chargeId).catch(
          rethrowUnreadCharge(idempotencyKey, made.chargeId),
        ),
        replayed: true,
      };
}

/** Says that the charge exists: whoever does not know would create another under a new key. */
const rethrowUnreadCharge =
  (key: IdempotencyKey, id: string) =>
  (error: unknown): never => {
    if (!(error instanceof PixctlError)) throw error;
    throw rewordError(error, {
      message: `The key ${key} already belongs to the charge ${id}, which could not be read. ${error.message}`,
    });
  };

/** Says where to look for a charge whose answer was lost, and how to protect the next one from that. */
const rethrowLostAnswer =
  ({ amount }: CreateChargeBody) =>
  (error: unknown): never => {
    const isDoubtful = error instanceof RefusedError && mayHaveTakenEffect(error);
    if (!(error instanceof PixctlError) || !(error.kind === 'unknown' || isDoubtful)) throw error;
    const look = commandLine([
      ...['pixctl', 'charge', 'list', '--since', '10m'],
      ...['--min-amount', String(amount), '--max-amount', String(amount)],
    ]);
    throw rewordError(error, {
      hint: `To look for it: ${look}. With --idempotency-key the same command never creates a second one.`,
      ...(isDoubtful && {
        kind: 'unknown',
        code: 'OUTCOME_UNKNOWN',
        message: `${error.why}. This request may have created a charge even so.`,
      }),
    });
  };

/**
 * Shows the charge, without anything to pay once it is final. With --wait, a single-value format is left to the end.
 */
async function show(runtime: Runtime, made: CreateResult, flags: CreateFlags): Promise<boolean> {
  const { charge } = made;
  const output = await runtime.output();
  const later = flags.wait === true && output.options.format !== 'table';
  if (later) output.note(madeWithCode(made));
  else await showNow(runtime, charge, flags);
  if (flags.png !== undefined) await (await import('./png-file.ts')).writePng(runtime, flags.png, charge);
  // In the log of a script, the same lines for each charge would bury what matters.
  if (runtime.io.stderrIsTerminal && flags.wait !== true && isPayable(charge)) {
    const isSandbox = (await runtime.config()).profile().name === sandboxProfile;
    output.note(nextSteps(charge.id, isSandbox));
  }
  return !later;
}

/** Announces the charge with its code, because nobody could pay it if the code came only when the wait is over. */
const madeWithCode = ({ charge, replayed }: CreateResult): string =>
  `${replayed ? 'It is' : 'Created'} ${charge.id}.${isPayable(charge) && charge.brCode ? ` PIX copy and paste:\n${charge.brCode}` : ''}`;

const showNow = (runtime: Runtime, charge: Charge, { qr }: CreateFlags): Promise<void> =>
  isPayable(charge)
    ? showWithCode(runtime, charge, { draw: qr !== false })
    : showWithoutCode(runtime, charge);

/** Says that the charge was created: whoever does not know would create a second one. */
const createdAction = ({ charge: { id }, replayed }: CreateResult): CompletedAction => ({
  what: `The charge ${id} was created${replayed ? ' by an earlier run' : ''}.`,
  hint: `Do not create it again: ${getChargeLine(id)} shows it.`,
});

/** In a sandbox no bank will ever pay it. */
const nextSteps = (id: string, isSandbox: boolean): string => {
  const line = (verb: string) => `  ${commandLine(['pixctl', 'charge', verb, id])}`;
  return [
    'Next:',
    ...(isSandbox
      ? [`  ${commandLine(['pixctl', 'sandbox', 'pay', id])}     as a customer's bank does`]
      : []),
    `${line('wait')}     until it is paid`,
    `${line('get')}      as it is now`,
    `${line('refund')}   once it is paid`,
  ].join('\n');
};

async function showDryRun(
  runtime: Runtime,
  { idempotencyKey }: CreateFlags,
  body: CreateChargeBody,
): Promise<void> {
  const output = await runtime.output();
  await announce(runtime, describeBody(body));
  const has = idempotencyKey === undefined ? null : await findKeyedCharge(runtime, idempotencyKey, body);
  await output.show({ name: 'request', columns: requestColumns }, body);
  output.note(
    has === null
      ? 'Dry run: POST /transparents/create would send this. Nothing was sent.'
      : `Dry run: the key ${idempotencyKey} already belongs to the charge ${has}: a run would show it. Nothing was sent.`,
  );
}

async function findKeyedCharge(
  runtime: Runtime,
  key: string,
  body: CreateChargeBody,
): Promise<string | null> {
  const idempotencyKey = parseKey('--idempotency-key', key);
  const { openProtocol } = await import('./protocol.ts');
  const { findChargeId } = await import('../../keyed-charge/dry-run.ts');
  const { scope, dependencies } = await openProtocol(runtime, (await runtime.api()).timeoutMs);
  const id = await findChargeId(dependencies, { scope, idempotencyKey, body });
  if (id === null) (await lookElsewhere(runtime, key))('a run creates a second charge');
  return id;
}

const requestColumns = (['method', 'amount', 'description', 'customerId', 'expiresIn'] as const).map(
  (key) => ({
    key,
    header: key,
    value: (body: CreateChargeBody) => body[key],
    ...(key === 'amount' ? { kind: 'cents' as const } : {}),
  }),
);
