/** What to say about replays that settle less than they seem to. Pure. */
import type { ForwardState } from '../../../inbox/inbox.ts';
import { formatCount } from '../../../terminal/format-count.ts';

/** Notes about events that were accepted where they were sent, by their state since. */
export function notesOf(taken: readonly ForwardState[]): string[] {
  const of = (state: ForwardState) => taken.filter((each) => each === state).length;
  const [owed, givenUp] = [of('WAITING'), of('GIVEN_UP')];
  return [
    ...(owed === 0
      ? []
      : [
          `${formatCount(owed, 'event')} that a listener still has to forward: accepted here, and still forwarded there.`,
        ]),
    ...(givenUp === 0
      ? []
      : [
          `${formatCount(givenUp, 'event')} that ${givenUp === 1 ? 'was' : 'were'} given up for your application: accepted here, and still given up there.`,
        ]),
  ];
}

/** Hint about events that were not accepted, by their state since. */
export const hintOf = (vain: readonly ForwardState[]): string =>
  vain.every((state) => state === 'DELIVERED')
    ? 'Your application accepted them before, so they still count as delivered.'
    : 'They stay in the inbox: pixctl webhook replay --failed sends them there again, and with -f <port> elsewhere.';
