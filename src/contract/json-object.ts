const { isRawJSON } = JSON as unknown as { isRawJSON: (value: unknown) => boolean };

/**
 * Whether it is what JSON calls an object: not an array, not null, and not a number kept as it was written
 * (`api/json.ts`).
 */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);
