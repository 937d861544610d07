/** Starts the whole service in this process. Several may run at once without knowing of each other. */
import { isLoopback } from '../contract/loopback.ts';
import { parseAddress } from '../flags/host.ts';
import {
  parseAdvance,
  requireChargeId,
  requireCustomerId,
  requireKey,
  requireReason,
  requireSnapshotBytes,
  requireWantedEvent,
  requireWithdrawalId,
} from './arguments.ts';
import { type Assembly, assemble } from './assembly.ts';
import { createWaitForEvent } from './deliveries/wait-for-event.ts';
import { faultsForTests } from './faults-for-tests.ts';
import { validateDeliveryFilter, validateEventFilter, validateRequestFilter } from './filters.ts';
import { type RunningServer, serve } from './listen.ts';
import { checkOptions } from './options.ts';
import { pagePath } from './page/path.ts';
import { ownAddress, reservePorts } from './reserve-ports.ts';
import { disputeCharge, expireCharge, payCharge } from './rules/charge-changes.ts';
import { addCustomer, removeCustomer } from './rules/customers.ts';
import { addKey, revokeKey } from './rules/keys.ts';
import { addMerchantWithKey, readMerchant, setMerchant, toMerchantView } from './rules/merchants.ts';
import { seed } from './rules/seed.ts';
import { trigger } from './rules/trigger.ts';
import { completeWithdrawal, defaultFailureReason, failWithdrawal } from './rules/withdrawal-steps.ts';
import type { Sandbox, SandboxOptions, SandboxTime } from './sandbox.ts';
import { listAssumptions } from './world/choices.ts';
import { defaultSettings, type Settings } from './world/settings.ts';

/**
 * Does what `startSandbox` of `pixctl/sandbox` says. The port is taken first: a program that waits for it is connected
 * by the time that it can be answered, and if the port is in use, no state file is created.
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

/** As the API tells it, which is a number where `withdrawal-id` says so. */
function withdrawalIdOf(world: Assembly['world'], id: string | number): string {
  const isNumber = typeof id === 'number' && world.assume('withdrawal-id') === 'number';
  return requireWithdrawalId(isNumber ? String(id) : id);
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
    pay: (id) => payCharge(world, requireChargeId(id)),
    expire: (id) => expireCharge(world, requireChargeId(id)),
    dispute: (id) => disputeCharge(world, requireChargeId(id)),
    completeWithdrawal: (id) => completeWithdrawal(world, withdrawalIdOf(world, id)),
    failWithdrawal: (id, reason = defaultFailureReason) =>
      failWithdrawal(world, withdrawalIdOf(world, id), requireReason(reason)),
    addCustomer: (customer) => addCustomer(world, it.merchantId, customer),
    removeCustomer: (id) => removeCustomer(world, requireCustomerId(id)),
    merchant: describe,
    setMerchant(changes) {
      setMerchant(world, it.merchantId, changes);
      return describe();
    },
    addMerchant: (changes) => addMerchantWithKey(world, changes),
    addKey: () => addKey(world, it.merchantId).key,
    revokeKey: (key) => void revokeKey(world, requireKey(key)),
    seed: (wanted) => seed(world, it.merchantId, wanted),
    trigger: (event, data = {}) => trigger(it, it.merchantId, event, data),
    events: (filter) => deliveries.events.list(validateEventFilter(filter)),
    waitForEvent: async (wanted, timeoutMs) => waitForEvent(requireWantedEvent(wanted), timeoutMs),
    deliveries: (filter) => deliveries.list(validateDeliveryFilter(filter)),
    requests: (filter) => it.log.list(validateRequestFilter(filter)),
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
