/**
 * The public module `pixctl/sandbox`: the whole service in this process, on a port of its own, or one that runs in
 * another process. docs/testing-with-the-sandbox.md shows tests.
 */
import type { Sandbox, SandboxOptions } from './sandbox.ts';

export type { Charge } from '../contract/charge.ts';
export type { Customer } from '../contract/customer.ts';
export type { Withdrawal } from '../contract/withdrawal.ts';
export { connectSandbox } from './connect-sandbox.ts';
export type { AnySandbox, ConnectedSandbox, ConnectOptions } from './connected-sandbox.ts';
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
export type { LoggedRequest, RequestFilter } from './wire/logged-request.ts';
export type { AssumptionInForce } from './world/choices.ts';

/**
 * Starts a sandbox and resolves when it accepts requests. Rejects with an `Error` whose `code` is `USAGE` (an option
 * that is unknown or impossible), `VALIDATION_ERROR` (a setting of `merchant`), `PORT` (taken), `NOT_A_STATE` or
 * `STATE_...` (the state file), or `GUESSABLE_KEYS` (its keys, for others to reach).
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  // Loaded only now, because a test that connects to a sandbox elsewhere needs nothing of it.
  const here = await import('./start-sandbox.ts');
  return here.startSandbox(options);
}
