/** `pixctl sandbox customer add|remove`. */
import type { Customer } from '../../../contract/customer.ts';
import { usageError } from '../../../errors.ts';
import { nonInteractiveNote } from '../../../flags/command-line.ts';
import type { Runtime } from '../../../runtime.ts';
import { customerView } from '../../../views/customer.ts';
import { openControl } from '../control.ts';

export interface CustomerFlags {
  readonly name?: string;
  readonly email?: string;
  readonly taxId?: string;
  readonly phone?: string;
  readonly merchant?: string;
}

export async function add(runtime: Runtime, flags: CustomerFlags): Promise<void> {
  const output = await runtime.output(customerView);
  const { name, email, taxId } = await complete(runtime, flags);
  const control = await openControl(runtime);
  const customer = await control.call<Customer>('POST', '/customers', {
    ...{ name, email, taxId },
    ...(flags.phone === undefined ? {} : { phone: flags.phone }),
    ...(flags.merchant === undefined ? {} : { merchantId: flags.merchant }),
  });
  await output.show(customerView, customer);
}

export async function remove(runtime: Runtime, id: string): Promise<void> {
  const output = await runtime.output(customerView);
  const control = await openControl(runtime);
  const removed = await control.call<Customer>('DELETE', `/customers/${encodeURIComponent(id)}`);
  await output.show(customerView, removed);
  output.note('Removed: the service no longer returns it.');
}

const questions = { name: 'Name', email: 'E-mail', taxId: 'CPF or CNPJ, digits only' } as const;
const names = { name: '--name', email: '--email', taxId: '--tax-id' } as const;
type Asked = keyof typeof questions;

/** Asks for what is missing if somebody can answer. Throws a usage error (64) otherwise. */
async function complete(runtime: Runtime, flags: CustomerFlags): Promise<Record<Asked, string>> {
  const prompter = await runtime.prompter();
  const missing = (Object.keys(questions) as Asked[]).filter((field) => flags[field] === undefined);
  if (missing.length > 0 && !prompter.canAsk) {
    throw usageError(
      `Missing: ${missing.map((field) => names[field]).join(', ')}. Nothing was sent.`,
      'For example: pixctl sandbox customer add --name "Maria Silva" --email maria@example.com --tax-id 12345678909',
    );
  }
  const given: Partial<Record<Asked, string>> = { ...flags };
  for (const field of missing)
    given[field] = await prompter.input({
      message: questions[field],
      validate: (text) => text.trim() !== '' || 'A value is required.',
    });
  const { name = '', email = '', taxId = '' } = given;
  if (missing.length > 0)
    (await runtime.output()).note(
      nonInteractiveNote(runtime.globals, [
        ...['pixctl', 'sandbox', 'customer', 'add', '--name', name, '--email', email, '--tax-id', taxId],
        ...(flags.phone === undefined ? [] : ['--phone', flags.phone]),
        ...(flags.merchant === undefined ? [] : ['--merchant', flags.merchant]),
      ]),
    );
  return { name, email, taxId };
}
