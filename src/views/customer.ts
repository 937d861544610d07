/** The columns of a customer. */
import type { Customer } from '../contract/customer.ts';
import type { View } from '../terminal/view.ts';

export const customerView: View<Customer> = {
  name: 'customer',
  columns: [
    { key: 'id', header: 'ID', kind: 'id', value: ({ id }) => id },
    { key: 'name', header: 'Name', value: ({ name }) => name },
    { key: 'taxId', header: 'Tax ID', value: ({ taxId }) => taxId },
    { key: 'email', header: 'E-mail', value: ({ email }) => email },
    { key: 'phone', header: 'Phone', value: ({ phone }) => phone },
    { key: 'createdAt', header: 'Created', value: ({ createdAt }) => createdAt, kind: 'time', detail: true },
    { key: 'updatedAt', header: 'Updated', value: ({ updatedAt }) => updatedAt, kind: 'time', detail: true },
  ],
};
