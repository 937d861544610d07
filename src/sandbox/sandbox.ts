/** What `startSandbox` takes and gives. */
import type { Charge } from '../contract/charge.ts';
import type { Customer } from '../contract/customer.ts';
import type { Withdrawal } from '../contract/withdrawal.ts';
import type { Delivery, DeliveryFilter } from './deliveries/delivery-list.ts';
import type { EventFilter, SandboxEvent } from './deliveries/event-log.ts';
import type { WaitForEvent } from './deliveries/wait-for-event.ts';
import type { Faults } from './faults/faults.ts';
import type { Advanced } from './jobs/advance.ts';
import type { NewCustomer } from './rules/customers.ts';
import type { MerchantChanges, MerchantView } from './rules/merchants.ts';
import type { Seeded } from './rules/seed.ts';
import type { LoggedRequest, RequestFilter } from './wire/logged-request.ts';
import type { AssumptionInForce } from './world/choices.ts';
import type { Settings } from './world/settings.ts';

export interface SandboxOptions extends Partial<Settings> {
  /** Port to listen on. The default, 0, takes a free one. */
  readonly port?: number;
  /**
   * IP address of this machine on which to listen besides 127.0.0.1; `0.0.0.0` or `::` for all of them. Whoever reaches
   * it and has a key can drive the sandbox.
   */
  readonly host?: string;
  /** Host names, without port, under which the control plane may be called besides loopback and `host`: `sandbox`. */
  readonly allowHosts?: readonly string[];
  /** Key of the first merchant: `svc_sandbox_` and 16 to 128 of A-Z, a-z, 0-9, - and _. Drawn if it is left out. */
  readonly apiKey?: string;
  /** File that keeps the state. Without it, the state ends with the process. */
  readonly state?: string;
  /** Settings of the first merchant, used when the state has none yet. Amounts in cents. */
  readonly merchant?: MerchantChanges;
  /** Real milliseconds after which a delivery attempt times out; 10,000 as documented. */
  readonly deliveryTimeoutMs?: number;
  /** Real milliseconds that a whole request may take to arrive. Default 15,000. */
  readonly requestTimeoutMs?: number;
  /**
   * Told about what goes wrong: a bug, or a state that cannot be used, which were answered with 500; and at most once a
   * minute that nearly all connections of an address are taken (`TOO_MANY_CONNECTIONS`).
   */
  readonly onError?: (error: unknown) => void;
}

/** A running sandbox. Calls that change the world throw an `Error` whose `code` is the service's own. */
export interface Sandbox extends AsyncDisposable {
  /** Base URL on 127.0.0.1, without trailing slash. */
  readonly url: string;
  /** Key of the first merchant. */
  readonly apiKey: string;
  readonly merchantId: string;
  /** Address of the page on 127.0.0.1, with its token. */
  readonly uiUrl: string;
  /** Bearer token of the control plane under `/__sandbox/`. */
  readonly controlToken: string;

  /** A customer pays the charge: PAID, the balance is credited, CHARGE_PAID is delivered. */
  pay(chargeId: string): Charge;
  /** Ends a charge's time now: EXPIRED. No event: the service sends none. */
  expire(chargeId: string): Charge;
  /** Opens an infraction (MED) against a paid charge: DISPUTED. No event, no money moves. */
  dispute(chargeId: string): Charge;
  /** The id as the API told it: a number under `assume: { 'withdrawal-id': 'number' }`. */
  completeWithdrawal(withdrawalId: string | number): Withdrawal;
  /**
   * FAILED with that reason (1 to 500 characters); the reserved balance is restored, WITHDRAWAL_FAILED is delivered.
   */
  failWithdrawal(withdrawalId: string | number, reason?: string): Withdrawal;
  addCustomer(customer: NewCustomer): Customer;
  removeCustomer(customerId: string): Customer;
  /** The first merchant, with its balance in cents. */
  merchant(): MerchantView;
  setMerchant(changes: MerchantChanges): MerchantView;
  /** Another merchant with a key of its own. */
  addMerchant(changes?: MerchantChanges): MerchantView & { readonly apiKey: string };
  /** Returns a further key of the first merchant. */
  addKey(): string;
  /** From now on the key is answered with 401. */
  revokeKey(apiKey: string): void;
  /** Adds sample customers and charges, two out of three paid. Returns how many of each. */
  seed(wanted: Partial<Seeded>): Seeded;

  /** Emits an event by hand, with the given data. */
  trigger(event: string, data?: Record<string, unknown>): SandboxEvent;
  /** What happened, oldest first, at most `limit` (100). */
  events(filter?: EventFilter): SandboxEvent[];
  /**
   * Resolves with the first matching event that was not handed out before, whether it has happened already or is still
   * to come. Rejects after `timeoutMs` (real, 5,000 by default), and at once when the sandbox is closed.
   */
  waitForEvent: WaitForEvent;
  /** Newest first, each with its attempts. */
  deliveries(filter?: DeliveryFilter): Delivery[];
  /** Calls of the documented plane that were received, newest first. The last 500 are kept, until a reset. */
  requests(filter?: RequestFilter): LoggedRequest[];
  /** What the document does not show, and what this sandbox does there. */
  assumptions(): AssumptionInForce[];

  readonly clock: SandboxTime;
  readonly faults: Pick<Faults, 'add' | 'preset' | 'list' | 'clear'>;

  /** Returns the world as bytes: a state that can be restored, or started from. */
  snapshot(): Uint8Array;
  /** Puts the world back as it was in the snapshot; the clock never goes back. */
  restore(snapshot: Uint8Array): Promise<void>;
  /**
   * Back to the start: same URL and key, no records, webhook endpoints or faults. The clock stays where it is. Ends
   * what is under way.
   */
  reset(): Promise<void>;
  /** Cuts connections and stops. Later calls that need the sandbox throw. */
  close(): Promise<void>;
}

export interface SandboxTime {
  /** Milliseconds since the epoch, on the sandbox's clock. */
  now(): number;
  /**
   * Moves forward by whole milliseconds or `24h`, a year at most. Everything due fires in order; resolves when settled.
   */
  advance(by: number | string): Promise<Advanced>;
  /** Time stands still; what is due now still happens. */
  freeze(): void;
  /** Time runs again from where it stopped. */
  unfreeze(): void;
}
