/** What V8 must not do while many objects come and go, as in a long list or a sandbox under load. */

/**
 * Stops V8 from doubling the space for new objects. Each page of a list is garbage a moment later, so a long list needs
 * only a few MiB; left alone, V8 sets aside 128 MiB (a peak of 207 MiB instead of 110 for a million charges) to save a
 * tenth of the time.
 *
 * Also stops V8 from dropping the compiled code of functions not called for a few collections: in such a run, that is
 * all the code that starts a command, and what is kept for later runs would lack it (1.6 times the time of a short
 * list).
 *
 * Returns a function that undoes both: V8 rejects compiled code that was kept under other flags, so what is kept at the
 * end of a run must be kept under the usual ones.
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

/** How many callers want it now, because their times may overlap. */
let holders = 0;
