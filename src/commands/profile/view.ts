/** The columns of a profile. The key itself is in none of them. */
import type { Profile } from '../../config/profile.ts';
import type { Column, View } from '../../terminal/view.ts';

const profileColumns: readonly Column<Profile>[] = [
  { key: 'name', header: 'Profile', value: ({ name }) => name },
  { key: 'baseUrl', header: 'Address', value: ({ baseUrl }) => baseUrl },
  { key: 'merchant', header: 'Merchant', value: ({ merchant }) => merchant },
];

export interface ShownProfile extends Profile {
  readonly current: boolean;
}

export const profileView: View<ShownProfile> = {
  name: 'profile',
  columns: [
    {
      key: 'current',
      header: '',
      value: ({ current }) => current,
      text: ({ current }) => (current ? '*' : ''),
    },
    ...profileColumns,
    { key: 'keySource', header: 'Key', value: ({ keySource }) => keySource },
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
    { key: 'keySource', header: 'Key from', value: ({ keySource }) => keySource },
    { key: 'keyFingerprint', header: 'Fingerprint', value: ({ keyFingerprint }) => keyFingerprint },
    { key: 'check', header: 'Service says', value: ({ check }) => check },
  ],
};
