/** The columns of a customer. */
import type { Customer } from '../../contract/customer.ts';
import type { View } from '../../terminal/view.ts';

export const customerView: View<Customer> = {
  name: 'customer',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'name', header: 'NAME', value: ({ name }) => name },
    { key: 'taxId', header: 'TAX ID', value: ({ taxId }) => taxId },
    { key: 'email', header: 'EMAIL', value: ({ email }) => email },
    { key: 'phone', header: 'PHONE', value: ({ phone }) => phone },
    { key: 'createdAt', header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', detail: true },
    { key: 'updatedAt', header: 'UPDATED', value: ({ updatedAt }) => updatedAt, kind: 'time', detail: true },
  ],
};
