/**
 * The two files of the package `jq-wasm`, as bytes. Built, they lie beside the chunks, and are read from there
 * (`scripts/bundle-plugins.ts`).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The program that runs jq: a CommonJS module, as text. */
export const jqProgram = (): Uint8Array => readFileSync(require.resolve('jq-wasm'));

/** jq itself, compiled to WebAssembly. */
export const jqWasm = (): Uint8Array => readFileSync(require.resolve('jq-wasm/jq.wasm'));
