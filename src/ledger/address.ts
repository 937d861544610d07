/** What two addresses of one merchant have to do with each other: they may be two names of one service. */
import { isLoopback } from '../contract/loopback.ts';
import { addressSuffixOf, labelOf, type Scope } from './intent.ts';

/** Whether the other scope is the same merchant's, at another address. */
export const isElsewhere = (other: Scope, own: Scope): boolean =>
  labelOf(other) === labelOf(own) && addressSuffixOf(other) !== addressSuffixOf(own);

/** Whether an order was tried out on this machine there, which says nothing about a real one that follows. */
export const isRehearsal = (other: Scope, own: Scope): boolean => isHere(other) && !isHere(own);

/** Whether the address is on this machine: a sandbox, or a proxy to the real service. Only the key tells which. */
export const isHere = (scope: Scope): boolean =>
  isLoopback(URL.parse(addressSuffixOf(scope).trim())?.hostname ?? '');
