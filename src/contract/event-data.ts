/** `data` of an event. Its shape is not shown: assumption `event-data-shape`. */

/**
 * A charge or a withdrawal as an event carries it. A charge goes without its codes, which nobody needs once it is paid.
 */
export function toEventData(resource: object): Record<string, unknown> {
  const { brCode: _code, imageBase64: _image, ...rest } = resource as Record<string, unknown>;
  return rest;
}

/** The id of the record that `data` is about, even if it is nested; empty if there is none. */
export function recordIdIn(data: Readonly<Record<string, unknown>>): string {
  const record = [data, ...Object.values(data)].find(
    (value): value is { id: string } => typeof value === 'object' && value !== null && 'id' in value,
  );
  return record === undefined ? '' : String(record.id);
}
