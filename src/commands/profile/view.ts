/** The columns of a profile. The key itself is in none of them. */
import type { Profile } from '../../config/profile.ts';
import type { Column, View } from '../../terminal/view.ts';

const profileColumns: readonly Column<Profile>[] = [
  { key: 'name', header: 'Profile' },
  { key: 'baseUrl', header: 'Address' },
  { key: 'merchant', header: 'Merchant' },
];

interface ShownProfile extends Profile {
  readonly current: boolean;
}

export const profileView: View<ShownProfile> = {
  name: 'profile',
  columns: [
    { key: 'current', header: '', text: ({ current }) => (current ? '*' : '') },
    ...profileColumns,
    { key: 'keySource', header: 'Key' },
  ],
};

export interface Identity extends Profile {
  /** First eight hex digits of the key's SHA-256: enough to distinguish two keys, and nothing else. */
  readonly keyFingerprint: string | null;
  /** `not told`: an answer came that says nothing about the key. */
  readonly check:
    | 'accepted'
    | 'forbidden'
    | 'refused'
    | 'rate limited'
    | 'not told'
    | 'not reached'
    | 'not asked';
}

export const identityView: View<Identity> = {
  name: 'identity',
  columns: [
    ...profileColumns,
    { key: 'keySource', header: 'Key from' },
    { key: 'keyFingerprint', header: 'Fingerprint' },
    { key: 'check', header: 'Service says' },
  ],
};
