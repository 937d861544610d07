/** What a user can do about a key or an address, as hints. The client knows no profiles: whoever makes it says. */
export interface Remedies {
  /** There is no key. */
  readonly missingKey: string;
  /** The service does not take it (401). */
  readonly refusedKey: string;
  /** It is a sandbox's, and the address is not on this machine. */
  readonly sandboxKey: string;
  /** It is no sandbox's, and the address is a sandbox's. */
  readonly realKey: string;
  /** Nothing answers at the address. */
  readonly notReached: string;
}

/** Of a user of whom nothing is known. */
export const anyonesRemedies: Remedies = {
  missingKey: 'Run pixctl login, or set PIXCTL_API_KEY.',
  refusedKey: 'Log in with a valid key: pixctl login.',
  sandboxKey: 'Use a key of the service: from its dashboard, under settings, API keys.',
  realKey:
    'A sandbox has its own key, which pixctl sandbox start stores in the profile sandbox. If that sandbox no longer exists: pixctl profile remove sandbox.',
  notReached: 'Check the address and the network, then run it again.',
};
