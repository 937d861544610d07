/**
 * Schemas that are built on the first call and kept: building one takes longer than reading an answer with it, and a
 * run needs two of the twenty.
 */
import type * as z from 'zod/mini';

export type Schema = z.ZodMiniType;
/** The type that a schema reads, for `type Charge = SchemaOutput<typeof charge>`. */
export type SchemaOutput<Built extends () => Schema> = z.infer<ReturnType<Built>>;

/** Defers `build` until the schema is first needed. */
export function schema<T extends Schema>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}
