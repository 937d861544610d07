/** Nominal types: a value is parsed once at the border and trusted inside. */
declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** An amount of money in whole cents. */
export type Cents = Brand<number, 'Cents'>;
/** The caller's name for one intended withdrawal or charge. */
export type IdempotencyKey = Brand<string, 'IdempotencyKey'>;
