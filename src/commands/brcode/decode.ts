/** `brcode decode`: shows the fields of a code. Anything wrong with it goes to stderr and makes the exit code 65. */

import { explainBrCode } from '../../contract/brcode/explain.ts';
import { judgeBrCode } from '../../contract/brcode/judge.ts';
import { asSentence } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { readCode } from './input.ts';
import { invalidCode } from './invalid.ts';
import { fieldView } from './view.ts';

export async function decode(runtime: Runtime, argument: string): Promise<void> {
  const output = await runtime.output(fieldView);
  const text = await readCode(runtime, argument);
  const { findings, valid } = judgeBrCode(text);
  await output.each(fieldView, explainBrCode(text));
  for (const { text: said } of findings) output.warn(asSentence(said));
  if (!valid) throw invalidCode(findings);
}
