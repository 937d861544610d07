/** `pixctl sandbox merchant get|set|add` and `pixctl sandbox key revoke`. */
import type { Runtime } from '../../../runtime.ts';
import { showAnswer } from '../control.ts';
import { type MerchantFlags, merchantChanges, someChanges } from './flags.ts';
import { keyView, merchantView, newMerchantView } from './view.ts';

const pathOf = (id = 'default') => `/merchants/${encodeURIComponent(id)}`;

export const get = (runtime: Runtime, id?: string) => showAnswer(runtime, merchantView, 'GET', pathOf(id));

export const set = async (runtime: Runtime, flags: MerchantFlags) =>
  showAnswer(runtime, merchantView, 'PATCH', pathOf(flags.merchant), someChanges(flags));

export const add = async (runtime: Runtime, flags: MerchantFlags) =>
  showAnswer(runtime, newMerchantView, 'POST', '/merchants', merchantChanges(flags));

export const revoke = (runtime: Runtime, key: string) =>
  showAnswer(runtime, keyView, 'POST', '/keys/revoke', { key });
