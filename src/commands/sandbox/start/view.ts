/** How to reach a started sandbox. */
import type { View } from '../../../terminal/view.ts';

export interface Started {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  readonly uiUrl: string;
}

export const startedView: View<Started> = {
  name: 'sandbox',
  columns: [
    { key: 'url', header: 'Sandbox', value: ({ url }) => url },
    { key: 'apiKey', header: 'API key', value: ({ apiKey }) => apiKey },
    { key: 'pid', header: 'Process', value: ({ pid }) => pid },
    { key: 'uiUrl', header: 'Page', value: ({ uiUrl }) => uiUrl },
  ],
};
