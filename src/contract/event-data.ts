/** `data` of an event. Its shape is not shown: assumption `event-data-shape`. */

/** A charge or a withdrawal as an event carries it: a charge without its codes, which nobody needs once it is paid. */
export function inEvent(resource: object): Record<string, unknown> {
  const { brCode: _code, imageBase64: _image, ...rest } = resource as Record<string, unknown>;
  return rest;
}
