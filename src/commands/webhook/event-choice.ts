/** Reads event names as typed: known ones, and others with a warning, because one name is not documented. */
import { eventNames } from '../../contract/event-names.ts';
import { webhookLimits } from '../../contract/webhook.ts';
import { usageError } from '../../errors.ts';
import { warnOfUnknownEvents } from '../../flags/event-name.ts';

/** Reads `a,b` or `all`. Throws `usageError` (64) for what cannot be a subscription. */
export function parseEvents(text: string, warn: (text: string) => void): string[] {
  if (isAll(text)) return [...eventNames];
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const odd = names.find((name) => !/^[A-Za-z][\w.-]{0,63}$/.test(name));
  if (odd !== undefined)
    throw usageError(
      `"${odd}" cannot be the name of an event. Nothing was sent.`,
      `Known: ${eventNames.join(', ')}; all means every one of them.`,
    );
  const { min, max } = webhookLimits.events;
  if (names.length < min || names.length > max) {
    throw usageError(
      `An endpoint takes ${min} to ${max} events, not ${names.length}. Nothing was sent.`,
      `Known: ${eventNames.join(', ')}.`,
    );
  }
  warnOfUnknownEvents(names, warn);
  return names;
}

export const isAll = (text: string): boolean => text.trim().toLowerCase() === 'all';
