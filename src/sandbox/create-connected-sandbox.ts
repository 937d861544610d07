/** Drives a sandbox over its control plane, member for member like one in this process. */
import {
  parseAdvance,
  requireChargeId,
  requireCustomerId,
  requireKey,
  requireObject,
  requireReason,
  requireSnapshotBytes,
  requireWantedEvent,
  requireWithdrawalId,
} from './arguments.ts';
import type { ConnectedSandbox, ConnectOptions } from './connected-sandbox.ts';
import type { AdvancedClock, ClockReading } from './control/clock.ts';
import type { Connection } from './control/connection.ts';
import {
  type ControlClient,
  createControlClient,
  pathOf,
  queryOf,
  refusedError,
  toAnswer,
} from './control-client.ts';
import { createWaitForEvent } from './deliveries/wait-for-event.ts';
import type { Fault } from './faults/faults.ts';
import { withWarnings } from './faults-for-tests.ts';
import { validateDeliveryFilter, validateEventFilter, validateRequestFilter } from './filters.ts';
import { pagePath } from './page/path.ts';
import { createRemoteEvents } from './remote-events.ts';
import { Refusal } from './rules/refusal.ts';
import { requireEventData } from './rules/trigger.ts';
import type { LoggedRequest } from './wire/logged-request.ts';
import { maxLoggedRequests } from './world/limits.ts';

export function createConnectedSandbox(
  { url, apiKey }: ConnectOptions,
  { controlToken, isFirstMerchant, ...whose }: Connection,
): ConnectedSandbox {
  let { merchantId } = whose;
  const closed = new AbortController();
  const control = createControlClient({ url, token: controlToken }, () => !closed.signal.aborted);
  const { call, send } = control;
  const post = <T>(path: string, body?: object) => call<T>('POST', path, body);
  /** The merchant whose calls and events are meant; undefined for the first one, which may look at everybody's. */
  const own = { merchantId: isFirstMerchant ? undefined : merchantId };
  const ofOwn = <T extends { merchantId?: string | undefined }>(filter: T): T => ({
    ...filter,
    merchantId: filter.merchantId ?? own.merchantId,
  });
  // Not by its id if it is the first: after a restore that may be another one.
  const merchantPath = pathOf('merchants', isFirstMerchant ? 'default' : merchantId);
  const waitForEvent = createWaitForEvent(
    createRemoteEvents(control, closed.signal),
    closed.signal,
    'the connection to the sandbox',
  );
  const findMerchant = async () => {
    if (isFirstMerchant) ({ merchantId } = await call<Connection>('GET', '/connection'));
  };
  const close = async () => closed.abort();
  return {
    url,
    apiKey,
    get merchantId() {
      return merchantId;
    },
    uiUrl: `${url}${pagePath}/?token=${controlToken}`,
    controlToken,
    pay: async (id) => post(pathOf('charges', requireChargeId(id), 'pay')),
    expire: async (id) => post(pathOf('charges', requireChargeId(id), 'expire')),
    dispute: async (id) => post(pathOf('charges', requireChargeId(id), 'dispute')),
    completeWithdrawal: async (id) => post(`${withdrawalPath(id)}/complete`),
    failWithdrawal: async (id, reason) =>
      post(`${withdrawalPath(id)}/fail`, reason === undefined ? {} : { reason: requireReason(reason) }),
    addCustomer: async (customer) =>
      post('/customers', { ...requireOwn(customer, 'a customer', 'name, email, taxId, phone'), ...own }),
    removeCustomer: async (id) => call('DELETE', pathOf('customers', requireCustomerId(id))),
    merchant: async () => call('GET', merchantPath),
    setMerchant: async (changes) => call('PATCH', merchantPath, requireObject(changes, settings)),
    addMerchant: async (changes = {}) => post('/merchants', requireObject(changes, settings)),
    addKey: async () => (await post<{ key: string }>('/keys', own)).key,
    revokeKey: async (key) => void (await post('/keys/revoke', { key: requireKey(key) })),
    seed: async (wanted) =>
      post('/seed', { ...requireOwn(wanted, 'what is seeded', 'charges, customers'), ...own }),
    trigger: async (event, data = {}) =>
      post('/events', { event, data: requireEventData(event, data), ...own }),
    events: async (filter) => call('GET', `/events${queryOf(ofOwn(validateEventFilter(filter)))}`),
    waitForEvent: async (wanted, timeoutMs) => waitForEvent(ofOwn(requireWantedEvent(wanted)), timeoutMs),
    deliveries: async (filter) => call('GET', `/deliveries${queryOf(ofOwn(validateDeliveryFilter(filter)))}`),
    requests: async (filter) => {
      const { limit = maxLoggedRequests, ...wanted } = ofOwn(validateRequestFilter(filter));
      const shown = await call<ShownRequest[]>('GET', `/requests${queryOf({ ...wanted, limit })}`);
      return shown.map((request) => ({ ...request, at: Date.parse(request.at) }));
    },
    assumptions: async () => call('GET', '/assumptions'),
    clock: {
      now: async () => Date.parse((await call<ClockReading>('GET', '/clock')).now),
      async advance(by) {
        const { now, ran, settled } = await post<AdvancedClock>('/clock/advance', { ms: parseAdvance(by) });
        return { now: Date.parse(now), ran, settled };
      },
      freeze: async () => void (await post('/clock/freeze')),
      unfreeze: async () => void (await post('/clock/unfreeze')),
    },
    faults: faultsOf(control),
    async snapshot() {
      const reply = await send({ method: 'GET', path: '/snapshot' });
      if (reply.status >= 300) throw refusedError(url, reply);
      return reply.body;
    },
    async restore(bytes) {
      const { buffer, byteOffset, byteLength } = requireSnapshotBytes(bytes);
      const body = new Uint8Array(buffer, byteOffset, byteLength);
      toAnswer(url, await send({ method: 'POST', path: '/restore', body }));
      await findMerchant();
    },
    async reset() {
      await post('/reset');
      await findMerchant();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** An object for this merchant: another one's is no business of it. */
function requireOwn<T extends object>(given: T, what: string, takes: string): T {
  if ('merchantId' in requireObject(given, what))
    throw new Refusal('VALIDATION_ERROR', `merchantId: is not known in ${what}; it takes ${takes}`);
  return given;
}

const withdrawalPath = (id: string | number): string =>
  pathOf('withdrawals', requireWithdrawalId(typeof id === 'number' ? String(id) : id));

/** The words for what `setMerchant` takes. */
const settings = 'the settings of a merchant';

/** A call as the control plane shows it, with an ISO time. */
type ShownRequest = Omit<LoggedRequest, 'at'> & { readonly at: string };

const faultsOf = ({ call }: ControlClient): ConnectedSandbox['faults'] => ({
  // The sandbox answers with a list, because a preset may have several rules.
  add: async (rule) => withWarnings(await call<[Fault]>('POST', '/faults', rule))[0],
  preset: async (name, over) =>
    withWarnings(await call<Fault[]>('POST', '/faults', { preset: String(name), ...over })),
  list: async () => call('GET', '/faults'),
  async clear(id) {
    try {
      const path = id === undefined ? '/faults' : pathOf('faults', String(id));
      return (await call<{ cleared: number }>('DELETE', path)).cleared;
    } catch (cause) {
      if (cause instanceof Refusal && cause.code === 'NOT_FOUND') return 0;
      throw cause;
    }
  },
});
