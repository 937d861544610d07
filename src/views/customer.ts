/** The columns of a customer. */
import type { Customer } from '../contract/customer.ts';
import type { View } from '../terminal/view.ts';

export const customerView: View<Customer> = {
  name: 'customer',
  columns: [
    { key: 'id', header: 'ID', kind: 'id' },
    { key: 'name', header: 'Name' },
    { key: 'taxId', header: 'Tax ID' },
    { key: 'email', header: 'E-mail' },
    { key: 'phone', header: 'Phone' },
    { key: 'createdAt', header: 'Created', kind: 'time', detail: true },
    { key: 'updatedAt', header: 'Updated', kind: 'time', detail: true },
  ],
};
