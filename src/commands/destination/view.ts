/** The columns of a saved destination. */
import { maskPixKey } from '../../contract/pix-key-mask.ts';
import type { View } from '../../terminal/view.ts';
import type { Destination } from '../../withdrawal/policy/destinations.ts';

export const destinationView: View<Destination> = {
  name: 'destination',
  columns: [
    { key: 'name', header: 'Name' },
    { key: 'pixKey', header: 'PIX key', text: ({ pixKey, pixKeyType }) => maskPixKey(pixKey, pixKeyType) },
    { key: 'pixKeyType', header: 'Type' },
  ],
};
