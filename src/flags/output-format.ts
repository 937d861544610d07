/** The formats of stdout. The format never changes by itself, only how it is dressed. */
export const outputFormats = ['table', 'json', 'ndjson', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];
