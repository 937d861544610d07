/** What a user can do about a key or an address, as hints. The client knows no profiles: whoever makes it says. */
export interface Remedies {
  /** There is no key. */
  readonly missingKey: string;
  /** The service does not take it (401). */
  readonly refusedKey: string;
  /** Nothing answers at the address. */
  readonly notReached: string;
}

/** Of a user of whom nothing is known. */
export const anyonesRemedies: Remedies = {
  missingKey: 'Run pixctl login, or set PIXCTL_API_KEY.',
  refusedKey: 'Log in with a valid key: pixctl login.',
  notReached: 'Check the address and the network, then run it again.',
};
