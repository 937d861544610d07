/**
 * Schemas that are built at the first call and kept: building one takes longer than reading an answer with it,
 * and a run needs two of the twenty.
 */
import type * as z from 'zod/mini';

export type Schema = z.ZodMiniType;
/** What a schema reads, for `type Charge = Read<typeof charge>`. */
export type Read<Built extends () => Schema> = z.infer<ReturnType<Built>>;

/** Puts off `build` until the schema is first needed. */
export function schema<T extends Schema>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}
