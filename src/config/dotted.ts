/** Reaches values inside nested objects by dotted keys, like `policy.maxPerDay`, without ever touching a prototype. */
import { isObject } from '../contract/json-object.ts';
import { usageError } from '../errors.ts';
import type { JsonObject } from './json-file.ts';

const forbidden = new Set(['__proto__', 'prototype', 'constructor']);

function segmentsOf(key: string): string[] {
  const segments = key.split('.');
  if (segments.some((segment) => segment === '' || forbidden.has(segment))) {
    throw usageError(
      `"${key}" is not the name of a setting.`,
      'pixctl config list shows those that are set.',
    );
  }
  return segments;
}

/** The value there; undefined if there is none. Throws a usage error (64) for a key that can name no setting. */
export function getDotted(settings: JsonObject, key: string): unknown {
  let value: unknown = settings;
  for (const segment of segmentsOf(key)) {
    if (!isObject(value) || !Object.hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

/** Returns a copy with the value set, or removed if it is `undefined`. */
export function setDotted(settings: JsonObject, key: string, value: unknown): JsonObject {
  return put(settings, segmentsOf(key), value);
}

function put(into: JsonObject, [first = '', ...rest]: string[], value: unknown): JsonObject {
  const copy = { ...into };
  if (rest.length > 0) copy[first] = put(isObject(copy[first]) ? copy[first] : {}, rest, value);
  else if (value === undefined) delete copy[first];
  else copy[first] = value;
  return copy;
}
