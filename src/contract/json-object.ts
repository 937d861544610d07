const { isRawJSON } = JSON as unknown as { isRawJSON: (value: unknown) => boolean };

/** What JSON calls an object: no array, not null, and no number that is kept as it was written (`api/json.ts`). */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);
