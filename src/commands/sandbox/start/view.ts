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
    { key: 'url', header: 'Sandbox' },
    { key: 'apiKey', header: 'API key' },
    { key: 'pid', header: 'Process' },
    { key: 'uiUrl', header: 'Page' },
  ],
};
