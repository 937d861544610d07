/** `--type`: the kind of a PIX key, as typed. */
import { type PixKeyType, pixKeyTypes } from '../contract/withdrawal.ts';
import { usageError } from '../errors.ts';
import { didYouMean, nearest } from './nearest.ts';

/** In any case. Throws a usage error (64) with the five that there are. */
export function parseKeyType(text: string): PixKeyType {
  const type = pixKeyTypes.find((one) => one === text.toUpperCase());
  if (type !== undefined) return type;
  throw usageError(
    `--type takes one of ${pixKeyTypes.join(', ')}, not "${text}"${didYouMean(nearest(text, pixKeyTypes))} Nothing was sent.`,
  );
}
