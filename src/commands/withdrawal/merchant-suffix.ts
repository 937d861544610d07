/** The merchant label, for sentences that ask for money to be sent. */
import type { Profile } from '../../config/profile.ts';

/** Says whose money it is, if there is a choice: the label under which the ledger files it. */
export const merchantSuffix = ({ merchant }: Pick<Profile, 'merchant'>, severalProfiles: boolean): string =>
  severalProfiles ? ` (merchant label ${merchant})` : '';
