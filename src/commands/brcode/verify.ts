/** `brcode verify`: says whether a code is valid, what it says, and every finding in words. */
import { judgeBrCode } from '../../contract/brcode/judge.ts';
import type { Runtime } from '../../runtime.ts';
import { readCode } from './input.ts';
import { invalidCode } from './invalid.ts';
import { judgementView } from './view.ts';

export async function verify(runtime: Runtime, argument: string): Promise<void> {
  const output = await runtime.output(judgementView);
  const { valid, findings, code } = judgeBrCode(await readCode(runtime, argument));
  await output.show(judgementView, { valid, ...code, findings });
  if (!valid) throw invalidCode(findings);
}
