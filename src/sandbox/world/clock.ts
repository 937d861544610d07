/**
 * The sandbox's own clock: real, offset or frozen. It starts at the present and never goes back, not even when the
 * machine's clock does. Everything in the sandbox that stamps or waits reads this one.
 */
type ClockMode = 'real' | 'offset' | 'frozen';

/** What must survive a restart. Times in milliseconds since the epoch. */
export interface SavedClock {
  /** Added to the machine's time while the clock runs. */
  readonly offsetMs: number;
  /** Where the clock stands still; null while it runs. */
  readonly frozenAt: number | null;
  /** The latest time known to have been read. A restarted clock does not begin before it. */
  readonly latest: number;
}

export interface SandboxClock {
  now(): number;
  readonly mode: ClockMode;
  /** Milliseconds ahead of the machine's clock (negative after a long freeze). */
  readonly offsetMs: number;
  /** Stops the clock. */
  freeze(): void;
  /** Lets the clock run on from where it stopped. */
  unfreeze(): void;
  /** Moves forward to `time`. An earlier time is ignored. */
  moveTo(time: number): void;
  /** Stops the clock until the returned function is called: `advance` moves in steps, and no time may slip by. */
  hold(): () => void;
  save(): SavedClock;
}

/**
 * @param machine milliseconds since the epoch, as the machine sees them
 * @param saved what an earlier run left behind
 * @param changed called with what to save after each change of mode or offset
 */
export function createSandboxClock(
  machine: () => number,
  saved: SavedClock | null = null,
  changed: (saved: SavedClock) => void = () => {},
): SandboxClock {
  let offset = saved?.offsetMs ?? 0;
  let frozenAt = saved?.frozenAt ?? null;
  let held: number | null = null;
  let latest = saved?.latest ?? Number.NEGATIVE_INFINITY;

  const now = (): number => {
    const standing = held ?? frozenAt;
    if (standing !== null) return standing;
    const time = machine() + offset;
    if (time < latest) offset += latest - time;
    latest = Math.max(latest, time);
    return latest;
  };
  const standAt = (time: number): void => {
    latest = time;
    if (held !== null) held = time;
    if (frozenAt !== null) frozenAt = time;
    else offset = time - machine();
  };
  const save = (): SavedClock => ({ offsetMs: offset, frozenAt, latest: now() });

  return {
    now,
    get mode() {
      if (frozenAt !== null) return 'frozen';
      return offset === 0 ? 'real' : 'offset';
    },
    get offsetMs() {
      return now() - machine();
    },
    freeze() {
      frozenAt ??= now();
      changed(save());
    },
    unfreeze() {
      if (frozenAt === null) return;
      const time = now();
      frozenAt = null;
      standAt(time);
      changed(save());
    },
    moveTo(time) {
      if (time <= now()) return;
      standAt(time);
      changed(save());
    },
    hold() {
      held = now();
      return () => {
        if (held === null) return;
        const time = held;
        held = null;
        if (frozenAt === null) standAt(time);
        changed(save());
      };
    },
    save,
  };
}
