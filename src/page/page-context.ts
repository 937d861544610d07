/** Where a piece of a page is: what links, forms and the live clock need to know. */
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
  /** Whether time passes; a frozen clock does not move. */
  readonly running: boolean;
  /** `real`, `frozen`. */
  readonly mode: string;
}

export interface PageInfo {
  readonly base: string;
  /** The token with which forms prove themselves. */
  readonly formToken: string;
  readonly name: string;
  readonly sections: readonly Section[];
  readonly clock: PageClock;
  /** Whether keys of one character act. */
  readonly keys: boolean;
}

export const PageContext = createContext<PageInfo>({
  base: '',
  formToken: '',
  name: '',
  sections: [],
  clock: { now: 0, running: false, mode: '' },
  keys: true,
});
