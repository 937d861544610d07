/**
 * Recognises a secret mostly covered, as a page or a log shows it. Mistaken for the secret, it would refuse every
 * delivery.
 */

/**
 * Whether a secret is masked. Only what cannot be part of a whole one counts, because a masked secret is not stored.
 */
export const isMasked = (secret: string): boolean =>
  /\*{3}|[\u00b7\u2022\u2219\u25cf]{3}|\u2026|\.{3}|^(whsec_)?x{4,}$|x{8}|^[[<(]?(redacted|filtered|hidden|masked)[\])>]?$/i.test(
    secret,
  );

/** Whether a secret can sign, unlike the `whsec_****1234` of a service that shows an earlier registration's. */
export const isUsableSecret = (secret: unknown): secret is string =>
  typeof secret === 'string' && secret !== '' && !isMasked(secret);
