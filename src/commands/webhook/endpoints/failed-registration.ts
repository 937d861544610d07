/** What a registration that brought no secret amounts to, and what to do: it may have been made even so. */
import { eventNames } from '../../../contract/event-names.ts';
import type { WebhookEndpoint } from '../../../contract/webhook.ts';
import { PixctlError, rewordError } from '../../../errors.ts';
import { commandLine } from '../../../flags/command-line.ts';

/** Returns the error to report. `cause`: what the exchange amounts to by itself. */
export function toRegistrationError(cause: unknown, urlField: string): unknown {
  if (isConflict(cause)) return registeredBefore(cause);
  return isInvalid(cause) ? otherField(cause, urlField) : lostSecret(cause);
}

/** The error for an endpoint that the service did create, as its answer says. */
export function missingSecretError({ id, secret }: WebhookEndpoint, url: string): PixctlError {
  const named = id === undefined ? '' : ` ${id}`;
  const lacks = secret
    ? `shows its secret masked (${secret}): that verifies nothing, and was not stored`
    : 'has no recognisable secret';
  return new PixctlError(
    'unexpected',
    'NO_SECRET',
    `The endpoint${named} was registered for ${url}, but the answer ${lacks}.`,
    {
      hint: 'If the dashboard of the service shows its whole secret: put it into a file, then run pixctl webhook listen --secret-file <file>. Do not register again to see more: each attempt creates another endpoint, and no way to delete one is documented.',
    },
  );
}

/**
 * The error for an endpoint whose answer names an error beside success; its secret is kept. `cause`: what the exchange
 * amounts to by itself. `serviceId`: null if the answer gave none.
 */
export function doubtfulError(cause: PixctlError, serviceId: string | null, url: string): PixctlError {
  const named = serviceId === null ? '' : ` ${serviceId}`;
  const ask =
    serviceId === null ? '' : `, or with ${commandLine(['pixctl', 'webhook', 'deliveries', serviceId])}`;
  return rewordError(cause, {
    code: 'REGISTRATION_UNKNOWN',
    message: `The endpoint${named} may have been registered for ${url}. ${cause.message}`,
    hint: `Look whether the service knows it, in its dashboard${ask}, before you register again: no way to delete an endpoint is documented.`,
  });
}

/** Which of them refuses a second registration is not documented (assumption `webhook-repeated-url`). */
const conflicts: ReadonlySet<string | undefined> = new Set(['CONFLICT', 'BAD_REQUEST']);

const isConflict = (cause: unknown): cause is PixctlError =>
  cause instanceof PixctlError && cause.kind === 'refused' && conflicts.has(cause.serviceCode);

const registeredBefore = (cause: PixctlError): PixctlError =>
  rewordError(cause, {
    hint: 'If this address is registered already, its secret is not shown again: register another address (another path is enough), or give that secret to webhook listen.',
  });

const isInvalid = (cause: unknown): cause is PixctlError =>
  cause instanceof PixctlError && cause.kind === 'refused' && cause.serviceCode === 'VALIDATION_ERROR';

/**
 * Adds the field to check. The message names it (document: "Errors"); if it is not the events, see `webhook-url-field`.
 */
const otherField = (cause: PixctlError, urlField: string): PixctlError =>
  rewordError(cause, {
    hint: /VALIDATION_ERROR: \W*events\b/.test(cause.message)
      ? `Give other --events: the document names ${eventNames.join(', ')}.`
      : `The address was sent as "${urlField}", a name that the service's document does not show. If it has another name: pixctl webhook add --url-field <name>, then pixctl webhook listen --endpoint <id>.`,
  });

/** The error for a lost answer, which carried the only copy of the secret. */
function lostSecret(cause: unknown): unknown {
  if (!(cause instanceof PixctlError) || cause.kind !== 'unknown') return cause;
  return rewordError(cause, {
    code: 'REGISTRATION_UNKNOWN',
    message: `The endpoint may have been registered, but the answer with its secret was lost. ${cause.message}`,
    hint: 'That secret is not shown again, and no way to delete an endpoint is documented: register again (at another address, if this one is refused then), and expect the deliveries of the lost endpoint to fail verification.',
  });
}
