/** The formats of stdout; the format never changes by itself, only its dress. */
export const outputFormats = ['table', 'json', 'ndjson', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];
