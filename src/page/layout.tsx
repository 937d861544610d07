/** The frame of every page: sections, the clock, the help of the keyboard. */
import type { Child } from 'hono/jsx';
import { keysCookie, pressedBy } from './key.tsx';
import { Moment } from './moment.tsx';
import { type Place, PlaceContext } from './place.ts';

export interface FrameProps {
  readonly place: Place;
  readonly title: string;
  readonly section: string;
  readonly topics: readonly string[];
  readonly version: string;
  readonly still?: boolean | undefined;
  readonly children?: Child;
}

export const Layout = ({ children, ...frame }: FrameProps) => (
  <Document {...frame}>
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <header data-live="header">
      <p class="name">{frame.place.name}</p>
      <nav aria-label="Sections">
        {frame.place.sections.map(({ path, label, shortcut }) => (
          <a
            href={`${frame.place.base}/${path}`}
            aria-current={path === frame.section ? 'page' : undefined}
            data-testid={`nav-${path}`}
            {...pressedBy(frame.place, shortcut)}
          >
            {label}
          </a>
        ))}
      </nav>
      <p class="clock" title="UTC, by the clock of what this page shows">
        <span data-testid="clock-mode">{frame.place.clock.mode}</span>{' '}
        <Moment at={frame.place.clock.now} now />
      </p>
      <button
        type="button"
        class="quiet"
        data-help
        aria-keyshortcuts={frame.place.keys ? '?' : undefined}
        aria-label="Keyboard shortcuts"
      >
        ?
      </button>
    </header>
    <Main>{children}</Main>
    <Help place={frame.place} />
  </Document>
);

/** A page that is not ours to the eye: the bank's. */
export const Bare = ({ children, ...frame }: FrameProps) => (
  <Document {...frame} dress="bank">
    <Main>{children}</Main>
  </Document>
);

const Main = ({ children }: Pick<FrameProps, 'children'>) => (
  <>
    <p class="flash" role="alert" data-flash data-testid="flash" hidden></p>
    <main id="main" tabindex={-1} data-live="main">
      {children}
    </main>
  </>
);

const Document = ({
  place,
  title,
  topics,
  version,
  still,
  dress,
  children,
}: FrameProps & { dress?: string }) => (
  <PlaceContext.Provider value={place}>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} - ${place.name}`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={`${place.base}/page.css`} />
        <script src={`${place.base}/page.js`} defer></script>
      </head>
      <body
        class={dress}
        data-base={place.base}
        data-topics={topics.join(' ')}
        data-version={version}
        data-still={still ? 'yes' : 'no'}
        data-now={place.clock.now}
        data-running={place.clock.running ? 'yes' : 'no'}
        data-keys={place.keys ? 'on' : 'off'}
      >
        {children}
      </body>
    </html>
  </PlaceContext.Provider>
);

const keys: readonly (readonly [string, string])[] = [
  ['j, k', 'next, previous row'],
  ['Enter', 'open the row'],
  ['[, ]', 'newer, older page of a list'],
  ['Esc', 'leave a field; back to the list'],
  ['?', 'this help'],
];

const Help = ({ place }: { place: Place }) => (
  <dialog data-shortcuts aria-label="Keyboard shortcuts">
    <h2>Keyboard</h2>
    <dl class="facts">
      {[...place.sections.map(({ shortcut, label }) => [shortcut, label] as const), ...keys].map(
        ([key, does]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ),
      )}
    </dl>
    <p class="dim">A key on a button, like P, presses it.</p>
    <label class="check">
      <input type="checkbox" autocomplete="off" data-turns-keys={keysCookie} checked={place.keys} />
      These keys act. Without them, Enter and Esc still do.
    </label>
    <form method="dialog">
      <button type="submit" autofocus>
        Close
      </button>
    </form>
  </dialog>
);
