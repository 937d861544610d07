/** A listener that ends before it has told anything. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../../../src/clock.ts';
import { writeLines } from '../../../../../src/commands/webhook/listen/lines/write-lines.ts';
import type { OutputOptions } from '../../../../../src/terminal/output.ts';
import { createOutput } from '../../../../../src/terminal/render-output.ts';
import { memoryIo } from '../../../../support/memory-io.ts';

async function* nothing() {}

it.each<[OutputOptions['format'], string]>([
  ['csv', 'type,id\n'],
  ['json', '[]\n'],
  ['ndjson', ''],
])('has the %s of a list without items', async (format, written) => {
  const io = memoryIo();
  const options = {
    format,
    fields: ['type', 'id'],
    quiet: false,
    csvLocale: 'machine',
    timeZone: null,
  } as const;
  await writeLines({ io }, createOutput(io, options, systemClock), nothing());
  expect(io.out).toBe(written);
});
