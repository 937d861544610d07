/** Asks which record of the sandbox is meant. The control plane lists the newest first. */
import type { Charge } from '../../contract/charge.ts';
import type { Customer } from '../../contract/customer.ts';
import { type Withdrawal, withdrawalInFlight } from '../../contract/withdrawal.ts';
import { chooseListed, longestOffer } from '../../runtime/choose.ts';
import type { Runtime } from '../../runtime.ts';
import type { SandboxEvent } from '../../sandbox/deliveries/event-log.ts';
import type { View } from '../../terminal/view.ts';
import { chargeView } from '../../views/charge.ts';
import { customerView } from '../../views/customer.ts';
import { withdrawalView } from '../../views/withdrawal.ts';
import { controlOf } from './control.ts';
import { eventView } from './events/view.ts';

const which = <T extends { readonly id?: string | undefined }>(
  runtime: Runtime,
  path: string,
  view: View<T>,
  fits: (item: T) => boolean = () => true,
) =>
  chooseListed(runtime, view, async () =>
    (await (await controlOf(runtime)).call<T[]>('GET', path)).filter(fits),
  );

export const whichCharge = (runtime: Runtime, wanted: string) =>
  which<Charge>(runtime, '/charges?limit=1000', chargeView, ({ status }) => status === wanted);

export const whichWithdrawal = (runtime: Runtime) =>
  which<Withdrawal>(runtime, '/withdrawals?limit=1000', withdrawalView, ({ status }) =>
    withdrawalInFlight.includes(status),
  );

export const whichCustomer = (runtime: Runtime) => which<Customer>(runtime, '/customers', customerView);

export const whichEvent = (runtime: Runtime) =>
  which<SandboxEvent>(runtime, `/events?order=newest-first&limit=${longestOffer}`, eventView);
