/** `pixctl sandbox merchant get|set|add` and `pixctl sandbox key revoke`. */
import type { Runtime } from '../../runtime.ts';
import type { MerchantView } from '../../sandbox/rules/merchants.ts';
import { controlOf } from './control.ts';
import { type MerchantFlags, merchantChanges, someChanges } from './merchant-flags.ts';
import { keyView, merchantView, newMerchantView } from './view.ts';

const pathOf = (id = 'default') => `/merchants/${encodeURIComponent(id)}`;

export async function get(runtime: Runtime, id?: string): Promise<void> {
  const output = await runtime.output(merchantView);
  const control = await controlOf(runtime);
  await output.show(merchantView, await control.call<MerchantView>('GET', pathOf(id)));
}

export async function set(runtime: Runtime, flags: MerchantFlags): Promise<void> {
  const output = await runtime.output(merchantView);
  const changes = someChanges(flags);
  const control = await controlOf(runtime);
  await output.show(merchantView, await control.call<MerchantView>('PATCH', pathOf(flags.merchant), changes));
}

export async function add(runtime: Runtime, flags: MerchantFlags): Promise<void> {
  const output = await runtime.output(newMerchantView);
  const changes = merchantChanges(flags);
  const control = await controlOf(runtime);
  await output.show(newMerchantView, await control.call('POST', '/merchants', changes));
}

export async function revoke(runtime: Runtime, key: string): Promise<void> {
  const output = await runtime.output(keyView);
  const control = await controlOf(runtime);
  await output.show(keyView, await control.call('POST', '/keys/revoke', { key }));
}
