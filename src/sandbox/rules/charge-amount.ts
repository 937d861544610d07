/** Rule 2 of "POST /transparents/create", in one place: the schema meets it first where no number holds the amount. */
import { chargeLimits } from '../../contract/charge.ts';
import { Refusal } from './refusal.ts';

export const amountOutOfBounds = (): Refusal =>
  new Refusal(
    'BAD_REQUEST',
    `amount: must be from ${chargeLimits.amount.min} to ${chargeLimits.amount.max} cents`,
  );
