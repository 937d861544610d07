/** Asks which record of the sandbox is meant. The control plane lists the newest first. */
import type { Charge } from '../../contract/charge.ts';
import type { Customer } from '../../contract/customer.ts';
import { isInFlight } from '../../contract/statuses.ts';
import type { Withdrawal } from '../../contract/withdrawal.ts';
import { chooseListed, maxChoices } from '../../runtime/choose.ts';
import type { Runtime } from '../../runtime.ts';
import type { SandboxEvent } from '../../sandbox/deliveries/event-log.ts';
import type { View } from '../../terminal/view.ts';
import { chargeView } from '../../views/charge.ts';
import { customerView } from '../../views/customer.ts';
import { withdrawalView } from '../../views/withdrawal.ts';
import { openControl } from './control.ts';
import { eventView } from './events/view.ts';

const chooseRecord = <T extends { readonly id?: string | undefined }>(
  runtime: Runtime,
  path: string,
  view: View<T>,
  fits: (item: T) => boolean = () => true,
) =>
  chooseListed(runtime, view, async () =>
    (await (await openControl(runtime)).call<T[]>('GET', path)).filter(fits),
  );

export const chooseCharge = (runtime: Runtime, wanted: string) =>
  chooseRecord<Charge>(runtime, '/charges?limit=1000', chargeView, ({ status }) => status === wanted);

export const chooseWithdrawal = (runtime: Runtime) =>
  chooseRecord<Withdrawal>(runtime, '/withdrawals?limit=1000', withdrawalView, ({ status }) =>
    isInFlight(status),
  );

export const chooseCustomer = (runtime: Runtime) =>
  chooseRecord<Customer>(runtime, '/customers', customerView);

export const chooseEvent = (runtime: Runtime) =>
  chooseRecord<SandboxEvent>(runtime, `/events?order=newest-first&limit=${maxChoices}`, eventView);
