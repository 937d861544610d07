/**
 * Checks whether the service is reachable, accepts the key, and has the same time as we do: signatures depend on it.
 */
import {
  contradictsItself,
  describeReply,
  envelopeOf,
  failureTextOf,
  isEnvelope,
} from '../../api/describe-reply.ts';
import type { Reply } from '../../api/exchange.ts';
import { describeFailure, remedyFor } from '../../api/failure.ts';
import type { Remedies } from '../../api/remedies.ts';
import { PixctlError } from '../../errors.ts';
import { timeoutOf } from '../../flags/duration.ts';
import type { Runtime } from '../../runtime.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';

/** Seconds. A signature is at risk from half of the receiver's default tolerance on. */
const skewLimits = { warning: 30, wrong: 150 };
/** Short, because a person is waiting for the other findings as well. Milliseconds. */
const patienceMs = 10_000;

/** Makes one read. Empty if there is no key: the profile check tells that. */
export async function serviceFindings(runtime: Runtime): Promise<Finding[]> {
  const config = await runtime.config();
  if ((await config.apiKey()) === null) return [];
  const api = await runtime.api();
  const exchange = await api.send({
    method: 'GET',
    path: '/transparents/list?limit=1',
    timeoutMs: timeoutOf(runtime.globals) ?? patienceMs,
    signal: runtime.signal,
  });
  if (exchange.kind !== 'reply') {
    const { cause } = exchange;
    // A key that must not go there, or a proxy that is none: here it is meant that nothing was sent.
    if (cause instanceof PixctlError)
      return [{ check: 'service', state: 'wrong', found: cause.message, remedy: cause.hint ?? '' }];
    const remedy = remedyFor(cause) ?? api.remedies.notReached;
    return [wrong('service', `${api.baseUrl} was not reached: ${describeFailure(cause)}`, remedy)];
  }
  const { headers } = exchange.reply;
  const secure = api.baseUrl.startsWith('https:') ? 'over TLS' : 'over http on this machine';
  return [
    ok('service', `${api.baseUrl} answers ${secure}`),
    keyFinding(exchange.reply, api.remedies),
    skewFinding(String(headers.date ?? ''), runtime.clock.now()),
  ];
}

/**
 * Says what the answer to a list of one charge shows about the key. Only the service's own answer can say anything
 * good.
 */
export function keyFinding(reply: Reply, { refusedKey }: Pick<Remedies, 'refusedKey'>): Finding {
  const { status } = reply;
  const envelope = envelopeOf(reply);
  if (status === 200 && envelope?.success === true && !contradictsItself(envelope))
    return ok('key', 'the service accepts it');
  if (status === 401) return wrong('key', 'the service does not accept it (401)', refusedKey);
  const found = `the service answered ${status} to a list of one charge`;
  if (status === 429) return warning('key', found, 'Try again later.');
  if (status >= 500) return wrong('key', found, 'Nothing can be done about it here: try again later.');
  const said = failureTextOf(reply);
  const saying = said === null ? '' : `; it says: ${said}`;
  const checkAddress = 'Check the address: pixctl whoami --offline.';
  if (status < 400 || !isEnvelope(envelope) || typeof envelope.error !== 'string')
    return wrong(
      'key',
      `the answer is not one that the service's document shows: ${describeReply(reply)}${saying}`,
      checkAddress,
    );
  if (status === 403)
    return warning(
      'key',
      'known, but not allowed to list charges (403)',
      "Ask the merchant's administrator.",
    );
  return wrong('key', `${found}${saying}`, checkAddress);
}

/** Compares the clocks. `date`: the text of the header. `now`: milliseconds since the epoch. */
export function skewFinding(date: string, now: number): Finding {
  const service = Date.parse(date);
  if (Number.isNaN(service))
    return warning(
      'clock',
      'the answer of the service has no time (no Date header)',
      'Compare the clock with another source.',
    );
  const seconds = Math.round((now - service) / 1000);
  // The header has whole seconds, rounded down, so two equal clocks may seem to be a second apart.
  if (Math.abs(seconds) <= 1) return ok('clock', 'this machine and the service agree, to a second');
  const found = `this machine is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the service`;
  const remedy =
    'Set the clock by NTP: timedatectl set-ntp true. With a wrong clock, genuine signatures are refused.';
  if (Math.abs(seconds) >= skewLimits.wrong) return wrong('clock', found, remedy);
  if (Math.abs(seconds) >= skewLimits.warning) return warning('clock', found, remedy);
  return ok('clock', found);
}
