/** What V8 is not to do while much is made and dropped, by a long list or a sandbox under load. */

/**
 * Stops V8 from doubling the space of new objects. Each page of a list is garbage a moment later, so that a long
 * one lives in a few MiB; left alone, V8 sets aside 128 MiB for it (207 MiB against 110 at the peak of a million
 * charges), for a tenth of the time.
 *
 * And from dropping the compiled code of what was not called for some collections: in such a run that is all that
 * starts a command, and what is kept of it for later runs would lack it (1.6 times the time of a short list).
 *
 * Returns what takes both back: V8 takes no compiled code that was kept under other flags, so what is kept at the end
 * of a run must be kept under the usual ones.
 */
export async function keepHeapSteady(): Promise<() => void> {
  const { setFlagsFromString } = await import('node:v8');
  if (holders++ === 0) for (const flag of steady) setFlagsFromString(flag);
  let isHeld = true;
  return () => {
    if (isHeld && --holders === 0) for (const flag of usual) setFlagsFromString(flag);
    isHeld = false;
  };
}

const steady = ['--semi-space-growth-factor=1', '--no-flush-bytecode'];
const usual = ['--semi-space-growth-factor=2', '--flush-bytecode'];

/** How many callers want it now: their times may overlap. */
let holders = 0;
