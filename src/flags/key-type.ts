/** `--type`: the kind of a PIX key, as typed. */
import { type PixKeyType, pixKeyTypes } from '../contract/withdrawal.ts';
import { usageError } from '../errors.ts';
import { didYouMean, nearest } from './nearest.ts';

/** Accepts any case. Throws a usage error (64) that lists the five types. */
export function parseKeyType(text: string): PixKeyType {
  const type = pixKeyTypes.find((one) => one === text.toUpperCase());
  if (type !== undefined) return type;
  throw usageError(
    `--type takes one of ${pixKeyTypes.join(', ')}, not "${text}"${didYouMean(nearest(text, pixKeyTypes))} Nothing was sent.`,
  );
}
