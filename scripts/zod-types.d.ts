/**
 * What this package's declarations need of zod's types: what a schema reads, and what it takes. Zod's own are 90 files
 * that a consumer's compiler would have to know, and they need a newer one than everything else here.
 * test/package.test.ts makes sure that both say the same.
 */
export interface ZodMiniType<Output = unknown, Input = unknown> {
  readonly output: Output;
  readonly input: Input;
}

type Output<T extends ZodMiniType> = T['output'];
type Input<T extends ZodMiniType> = T['input'];

export type { Input as input, Output as infer };

export interface ZodMiniString<T> extends ZodMiniType<T, T> {}
export interface ZodMiniNumber<T> extends ZodMiniType<T, T> {}
export interface ZodMiniBoolean<T> extends ZodMiniType<T, T> {}
export interface ZodMiniInt extends ZodMiniType<number, number> {}
export interface ZodMiniUnknown extends ZodMiniType {}
export interface ZodMiniLiteral<T> extends ZodMiniType<T, T> {}
export interface ZodMiniEnum<T> extends ZodMiniType<T[keyof T], T[keyof T]> {}

export interface ZodMiniNullable<T extends ZodMiniType>
  extends ZodMiniType<Output<T> | null, Input<T> | null> {}

export interface ZodMiniOptional<T extends ZodMiniType>
  extends ZodMiniType<Output<T> | undefined, Input<T> | undefined> {
  readonly mayLack: 'both';
}

export interface ZodMiniDefault<T extends ZodMiniType>
  extends ZodMiniType<Exclude<Output<T>, undefined>, Input<T> | undefined> {
  readonly mayLack: 'input';
}

export interface ZodMiniArray<T extends ZodMiniType> extends ZodMiniType<Output<T>[], Input<T>[]> {}

export interface ZodMiniDiscriminatedUnion<Options extends readonly ZodMiniType[], Key extends string>
  extends ZodMiniType<Output<Options[number]>, Input<Options[number]>> {
  readonly key: Key;
}

/** Fields besides the named ones. */
export type $loose = Record<string, unknown>;
export type $strict = Record<never, never>;
export declare namespace core {
  type $loose = Record<string, unknown>;
  type $strict = Record<never, never>;
}

type Shape = Readonly<Record<string, ZodMiniType>>;
type Flat<T> = { [K in keyof T]: T[K] } & {};

export interface ZodMiniObject<S extends Shape, More>
  extends ZodMiniType<
    Flat<
      { -readonly [K in keyof S as S[K] extends { mayLack: 'both' } ? never : K]: Output<S[K]> } & {
        -readonly [K in keyof S as S[K] extends { mayLack: 'both' } ? K : never]?: Output<S[K]>;
      } & More
    >,
    Flat<
      { -readonly [K in keyof S as S[K] extends { mayLack: string } ? never : K]: Input<S[K]> } & {
        -readonly [K in keyof S as S[K] extends { mayLack: string } ? K : never]?: Input<S[K]>;
      } & More
    >
  > {}
