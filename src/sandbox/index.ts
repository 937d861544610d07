/**
 * `import { startSandbox } from 'pixctl/sandbox'`: the whole service, in this process, on a port of its own. Several
 * may run at once without knowing of each other. docs/testing-with-the-sandbox.md shows a test.
 */
import { isLoopback } from '../contract/loopback.ts';
import { usageError } from '../errors.ts';
import { parseDuration } from '../flags/duration.ts';
import { parseAddress } from '../flags/host.ts';
import { type Assembly, assemble } from './assembly.ts';
import type { EventFilter } from './deliveries/event-log.ts';
import { createWaitForEvent } from './deliveries/wait-for-event.ts';
import { faultsForTests } from './faults-for-tests.ts';
import { validateDeliveryFilter, validateEventFilter } from './filters.ts';
import { describeValue, text, wholeNumber } from './input/property-rules.ts';
import { type RunningServer, serve } from './listen.ts';
import { checkOptions } from './options.ts';
import { pagePath } from './page/path.ts';
import { ownAddress, reservePorts } from './reserve-ports.ts';
import { disputeCharge, expireCharge, payCharge } from './rules/charge-changes.ts';
import { addCustomer, removeCustomer } from './rules/customers.ts';
import { addKey, revokeKey } from './rules/keys.ts';
import { addMerchantWithKey, readMerchant, setMerchant, toMerchantView } from './rules/merchants.ts';
import { Refusal } from './rules/refusal.ts';
import { seed } from './rules/seed.ts';
import { trigger } from './rules/trigger.ts';
import { completeWithdrawal, defaultFailureReason, failWithdrawal } from './rules/withdrawal-steps.ts';
import type { Sandbox, SandboxOptions, SandboxTime } from './sandbox.ts';
import { listAssumptions } from './world/choices.ts';
import { longestAdvanceMs } from './world/limits.ts';
import { defaultSettings, type Settings } from './world/settings.ts';

export type { Charge } from '../contract/charge.ts';
export type { Customer } from '../contract/customer.ts';
export type { Withdrawal } from '../contract/withdrawal.ts';
export type { Attempt, Delivery, DeliveryFilter } from './deliveries/delivery-list.ts';
export type { DeliveryState } from './deliveries/delivery-policy.ts';
export type { EventFilter, SandboxEvent } from './deliveries/event-log.ts';
export type { Reply } from './deliveries/post.ts';
export type { Fault, FaultTerms } from './faults/faults.ts';
export type { PresetName } from './faults/presets.ts';
export type { FaultInput, FaultRule } from './faults/rule.ts';
export type { Advanced } from './jobs/advance.ts';
export type { Balance } from './rules/balance.ts';
export type { NewCustomer } from './rules/customers.ts';
export type { MerchantChanges, MerchantView } from './rules/merchants.ts';
export type { Seeded } from './rules/seed.ts';
export type { Sandbox, SandboxOptions, SandboxTime } from './sandbox.ts';
export type { LoggedRequest } from './wire/logged-request.ts';
export type { AssumptionInForce } from './world/choices.ts';

/**
 * Starts a sandbox and resolves when it accepts requests. Rejects with an `Error` whose `code` is `USAGE` (an option
 * that is unknown or impossible), `VALIDATION_ERROR` (a setting of `merchant`), `PORT` (taken), `NOT_A_STATE` or
 * `STATE_...` (the state file), or `GUESSABLE_KEYS` (its keys, for others to reach). The port is taken first: a program
 * that waits for it is connected by the time that it can be answered, and if the port is in use, no state file is
 * created.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options);
  const host = parseAddress(options.host ?? ownAddress) ?? ownAddress;
  const ports = await reservePorts(host, options.port ?? 0);
  let assembly: Assembly | undefined;
  try {
    assembly = assemble({
      state: options.state ?? null,
      settings: settingsOf(options),
      merchant: options.merchant ?? {},
      apiKey: options.apiKey,
      hasSecretKeys: !isLoopback(host),
      deliveryTimeoutMs: options.deliveryTimeoutMs,
      report: options.onError ?? (() => {}),
    });
    const { requestTimeoutMs, allowHosts } = options;
    return createSandbox(assembly, serve(ports, assembly, { requestTimeoutMs, host, allowHosts }));
  } catch (error) {
    await Promise.all(ports.map((port) => port.close()));
    await assembly?.close();
    throw error;
  }
}

const settingsOf = (options: SandboxOptions): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(options).filter(([key, value]) => key in defaultSettings && value !== undefined),
  );

/**
 * Returns milliseconds. Throws `usageError` (64): moving by something that is not a number would break the clock for
 * good, and text without a unit could mean the seconds of the command line or milliseconds.
 */
function parseAdvance(by: number | string): number {
  const ms = typeof by === 'string' && /^\d{1,10}[smhd]$/.test(by) ? parseDuration(by) : by;
  const { holds, words } = wholeNumber(0, longestAdvanceMs);
  if (typeof ms === 'number' && holds(ms)) return ms;
  throw usageError(
    `clock.advance takes ${words} (milliseconds), or a duration like '24h', not ${describeValue(by)}`,
  );
}

/** Checks the id of a record: in a JavaScript test, without types, it may be undefined by mistake. */
function requireText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new Refusal('VALIDATION_ERROR', `${what} must be ${text.words}, not ${describeValue(value)}`);
}
const chargeIdOf = (id: string) => requireText(id, 'the id of a charge');
/** As the API tells it, which is a number where `withdrawal-id` says so. */
function withdrawalIdOf(world: Assembly['world'], id: string | number): string {
  const isNumber = typeof id === 'number' && world.assume('withdrawal-id') === 'number';
  return requireText(isNumber ? String(id) : id, 'the id of a withdrawal');
}

/** Checks what to wait for: `undefined`, which a misspelt name is in a JavaScript test, would match any event. */
function wantedEvent(wanted: string | EventFilter): EventFilter {
  if (wanted !== undefined)
    return validateEventFilter(typeof wanted === 'string' ? { event: wanted } : wanted);
  throw usageError("waitForEvent takes an event's name or a filter ({} for any event), not undefined");
}

function requireSnapshotBytes(bytes: Uint8Array): Uint8Array {
  // Not by `instanceof`, because a test runner may run each file in a realm of its own.
  if (ArrayBuffer.isView(bytes)) return bytes;
  throw usageError(`restore takes the bytes of a snapshot, a Uint8Array, not ${describeValue(bytes)}`);
}

function createSandbox(it: Assembly, listening: RunningServer): Sandbox {
  const { world, jobs, faults, deliveries, controlToken } = it;
  const describe = () => toMerchantView(world, readMerchant(world, it.merchantId));
  const closed = new AbortController();
  const waitForEvent = createWaitForEvent(deliveries.events, closed.signal);
  let closing: Promise<void> | undefined;
  const close = () => {
    closed.abort();
    closing ??= listening.close().then(() => it.close());
    return closing;
  };
  return {
    url: listening.url,
    apiKey: it.apiKey,
    get merchantId() {
      return it.merchantId;
    },
    uiUrl: `${listening.url}${pagePath}/?token=${controlToken}`,
    controlToken,
    pay: (id) => payCharge(world, chargeIdOf(id)),
    expire: (id) => expireCharge(world, chargeIdOf(id)),
    dispute: (id) => disputeCharge(world, chargeIdOf(id)),
    completeWithdrawal: (id) => completeWithdrawal(world, withdrawalIdOf(world, id)),
    failWithdrawal: (id, reason = defaultFailureReason) =>
      failWithdrawal(world, withdrawalIdOf(world, id), requireText(reason, 'the reason of a failure')),
    addCustomer: (customer) => addCustomer(world, it.merchantId, customer),
    removeCustomer: (id) => removeCustomer(world, requireText(id, 'the id of a customer')),
    merchant: describe,
    setMerchant(changes) {
      setMerchant(world, it.merchantId, changes);
      return describe();
    },
    addMerchant: (changes) => addMerchantWithKey(world, changes),
    addKey: () => addKey(world, it.merchantId).key,
    revokeKey: (key) => void revokeKey(world, requireText(key, 'an API key')),
    seed: (wanted) => seed(world, it.merchantId, wanted),
    trigger: (event, data = {}) => trigger(it, it.merchantId, event, data),
    events: (filter) => deliveries.events.list(validateEventFilter(filter)),
    waitForEvent: async (wanted, timeoutMs) => waitForEvent(wantedEvent(wanted), timeoutMs),
    deliveries: (filter) => deliveries.list(validateDeliveryFilter(filter)),
    requests: () => it.log.list({ limit: 500 }),
    assumptions: () => listAssumptions(world.choices),
    clock: time(it),
    faults: faultsForTests(faults),
    snapshot: it.snapshot,
    restore: async (bytes) => it.restore(requireSnapshotBytes(bytes)),
    reset: it.reset,
    close,
    [Symbol.asyncDispose]: close,
  };
  function time({ world: { clock } }: Assembly): SandboxTime {
    return {
      now: () => clock.now(),
      advance: async (by) => jobs.advance(parseAdvance(by)),
      freeze: () => clock.freeze(),
      unfreeze() {
        clock.unfreeze();
        jobs.wake();
      },
    };
  }
}
