/** Where a piece of a page stands: what links, forms and the live clock need to know. */
import { createContext } from 'hono/jsx';

export interface Section {
  /** Path below the base. */
  readonly path: string;
  readonly label: string;
  /** The key that leads there. */
  readonly shortcut: string;
}

export interface PageClock {
  /** Milliseconds since the epoch, on the clock that the page is about. */
  readonly now: number;
  /** Whether time passes; a frozen clock stands still. */
  readonly running: boolean;
  /** `real`, `frozen`. */
  readonly mode: string;
}

export interface Place {
  readonly base: string;
  /** What forms carry to be believed. */
  readonly form: string;
  readonly name: string;
  readonly sections: readonly Section[];
  readonly clock: PageClock;
  /** Whether keys of one character act. */
  readonly keys: boolean;
}

export const PlaceContext = createContext<Place>({
  base: '',
  form: '',
  name: '',
  sections: [],
  clock: { now: 0, running: false, mode: '' },
  keys: true,
});
