/** Verbs that change records: charges, withdrawals, customers. */
import type { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import { recordExits as exits } from './exits.ts';
import type { CustomerFlags } from './records/customer.ts';

/** Verbs, the status that a charge must have for each, and what it does. */
const chargeVerbs = [
  ['pay', 'PENDING', 'pay a charge as a customer would: PENDING to PAID, CHARGE_PAID is delivered'],
  ['expire', 'PENDING', 'let a charge expire now: PENDING to EXPIRED'],
  ['dispute', 'PAID', 'open an infraction (MED) against a payment: PAID to DISPUTED'],
] as const;

export function addRecordVerbs(sandbox: Command, runtime: Runtime): void {
  for (const [verb, status, description] of chargeVerbs) {
    withHelp(
      sandbox
        .command(verb)
        .description(description)
        .argument('<charge>', 'id of the charge, chg_...')
        .action(async (id: string) => (await import('./records/charge.ts')).changeCharge(runtime, verb, id)),
      {
        prompts: { charge: async () => (await import('./choose.ts')).chooseCharge(runtime, status) },
        view: async () => (await import('./records/charge.ts')).changedChargeView,
        examples: {
          [`pixctl sandbox ${verb}`]: 'asks which charge',
          [`pixctl sandbox ${verb} chg_1`]: 'the charge as it is then',
        },
        exits,
      },
    );
  }
  const withdrawal = sandbox.command('withdrawal').description('end a withdrawal by hand');
  addWithdrawalVerbs(withdrawal, runtime);
  withHelp(withdrawal, { examples: { ...completed, ...failed }, exits: [] });
  const customer = sandbox.command('customer').description('add and remove customers');
  addCustomerVerbs(customer, runtime);
  withHelp(customer, { examples: { ...maria, ...removed }, exits: [] });
}

const completed = { 'pixctl sandbox withdrawal complete wd_1': 'the money leaves' };
const failed = {
  'pixctl sandbox withdrawal fail wd_1 --reason "account closed"': 'the money comes back',
};
const removed = { 'pixctl sandbox customer remove cust_1': 'charges keep their summary of it' };
const maria = {
  'pixctl sandbox customer add --name "Maria Silva" --email maria@example.com --tax-id 12345678909':
    'then: pixctl charge create --amount 10,50 --customer cust_...',
};

function addWithdrawalVerbs(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('complete')
      .description('the provider confirms: to COMPLETED')
      .argument('<id>', 'id of the withdrawal, wd_...')
      .action(async (id: string) => (await import('./records/withdrawal.ts')).complete(runtime, id)),
    {
      prompts: { id: async () => (await import('./choose.ts')).chooseWithdrawal(runtime) },
      view: async () => (await import('../../views/withdrawal.ts')).withdrawalView,
      examples: { 'pixctl sandbox withdrawal complete': 'asks which withdrawal', ...completed },
      exits,
    },
  );
  withHelp(
    withdrawal
      .command('fail')
      .description('the provider fails: to FAILED, the reserved balance is restored')
      .argument('<id>', 'id of the withdrawal, wd_...')
      .option('--reason <text>', 'its failedReason')
      .action(async (id: string, flags: { reason?: string }) =>
        (await import('./records/withdrawal.ts')).fail(runtime, id, flags),
      ),
    {
      prompts: { id: async () => (await import('./choose.ts')).chooseWithdrawal(runtime) },
      view: async () => (await import('../../views/withdrawal.ts')).withdrawalView,
      examples: { 'pixctl sandbox withdrawal fail': 'asks which withdrawal', ...failed },
      exits,
    },
  );
}

function addCustomerVerbs(customer: Command, runtime: Runtime): void {
  withHelp(
    customer
      .command('add')
      .description('add a customer; asks for what is missing on a terminal')
      .option('--name <name>', 'full name')
      .option('--email <address>', 'e-mail address')
      .option('--tax-id <digits>', 'CPF or CNPJ, digits only')
      .option('--phone <number>', '+<country><number>')
      .option('--merchant <id>', 'of this merchant (default: the first)')
      .action(async (flags: CustomerFlags) => (await import('./records/customer.ts')).add(runtime, flags)),
    {
      view: async () => (await import('../../views/customer.ts')).customerView,
      examples: { 'pixctl sandbox customer add': 'asks for what is missing', ...maria },
      exits: ['usage', ...exits],
    },
  );
  withHelp(
    customer
      .command('remove')
      .description('remove a customer: the service no longer returns it')
      .argument('<id>', 'id of the customer, cust_...')
      .action(async (id: string) => (await import('./records/customer.ts')).remove(runtime, id)),
    {
      prompts: { id: async () => (await import('./choose.ts')).chooseCustomer(runtime) },
      view: async () => (await import('../../views/customer.ts')).customerView,
      examples: { 'pixctl sandbox customer remove': 'asks which customer', ...removed },
      exits,
    },
  );
}
