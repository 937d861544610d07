/**
 * Hints: what a user can do about a key or an address. The client's caller provides them, because it knows the profile.
 */
export interface Remedies {
  /** There is no key. */
  readonly missingKey: string;
  /** The service does not accept the key (401). */
  readonly refusedKey: string;
  /** The key belongs to a sandbox, and the address is not on this machine. */
  readonly sandboxKey: string;
  /** The key is not a sandbox key, and the address is a sandbox. */
  readonly realKey: string;
  /** Nothing answers at the address. */
  readonly notReached: string;
  /** Why a record may be gone that was once there; `''` if nothing is known. */
  readonly forgotten: string;
}

/** The hints when nothing is known about the user's profiles. */
export const defaultRemedies: Remedies = {
  missingKey: 'Run pixctl login, or set PIXCTL_API_KEY.',
  refusedKey: 'Log in with a valid key: pixctl login.',
  sandboxKey: 'Use a key of the service: from its dashboard, under settings, API keys.',
  realKey:
    'A sandbox has its own key, which pixctl sandbox start stores in the profile sandbox. If that sandbox no longer exists: pixctl profile remove sandbox.',
  notReached: 'Check the address and the network, then run it again.',
  forgotten: '',
};
