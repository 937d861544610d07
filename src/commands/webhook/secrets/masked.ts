/** A secret as a page or a log shows it, most of it covered: taken for the secret, it would refuse every delivery. */

/** Only what cannot be part of a whole secret counts as a mask, because a masked secret is not kept. */
export const isMasked = (secret: string): boolean =>
  /\*{3}|[\u00b7\u2022\u2219\u25cf]{3}|\u2026|\.{3}|^(whsec_)?x{4,}$|x{8}|^[[<(]?(redacted|filtered|hidden|masked)[\])>]?$/i.test(
    secret,
  );

/** One that may sign: not the `whsec_****1234` of a service that shows the secret of an earlier registration. */
export const isWhole = (secret: unknown): secret is string =>
  typeof secret === 'string' && secret !== '' && !isMasked(secret);
