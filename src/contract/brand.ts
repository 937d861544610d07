/** Nominal types: a value is parsed once at the border and trusted inside. */
declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** An amount of money in whole cents. */
export type Cents = Brand<number, 'Cents'>;
/** A charge's id, form `chg_<id>`. */
export type ChargeId = Brand<string, 'ChargeId'>;
/** A customer's id, form `cust_<id>`. */
export type CustomerId = Brand<string, 'CustomerId'>;
/** The caller's name for one intended withdrawal or charge. */
export type IdempotencyKey = Brand<string, 'IdempotencyKey'>;
