const { isRawJSON } = JSON as unknown as { isRawJSON: (value: unknown) => boolean };

/**
 * Whether it is what JSON calls an object: not an array, not null, and not a number kept as it was written
 * (`api/json.ts`).
 */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);

/** The object that a text is as JSON; null for any other text. Numbers are JavaScript's. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
