import { expect, it } from 'vitest';
import type { Api } from '../../src/api/client.ts';
import { failure, hostileServer, json } from '../support/hostile-server.ts';
import { clientOf } from './client-of.ts';

const charge = (id: string) => (api: Api) => api.call('getCharge', { query: { id } });
const customer = (id: string) => (api: Api) => api.call('getCustomer', { path: { id } });
const withdrawal = (id: string) => (api: Api) => api.call('getWithdrawal', { path: { id } });
const checkIt = 'Check the id, and whether it belongs to this profile (pixctl whoami).';

it.each([
  [
    'cust_1 as a charge',
    charge('cust_1'),
    "cust_1 has the form of a customer's id: pixctl customer get cust_1",
  ],
  ['evt_1 as a charge', charge('evt_1'), "evt_1 has the form of an event's id: pixctl webhook show evt_1"],
  ['chg_1 as a customer', customer('chg_1'), "chg_1 has the form of a charge's id: pixctl charge get chg_1"],
  [
    'chg_1 as a withdrawal',
    withdrawal('chg_1'),
    "chg_1 has the form of a charge's id: pixctl charge get chg_1",
  ],
  ['a charge', charge('chg_1'), checkIt],
  ['a customer', customer('cust_1'), checkIt],
  ['a withdrawal, whose form is not shown', withdrawal('wd_1'), checkIt],
  ['what a shell would obey', charge('cust_1;x'), checkIt],
])('an id that is not found, %s, is told with the command for its form', async (_, ask, hint) => {
  await using server = await hostileServer((response) => json(response, 404, failure('NOT_FOUND', 'no')));
  const api = clientOf(server.url);
  await expect(ask(api)).rejects.toMatchObject({ kind: 'notFound', hint });
  await api.close();
});
