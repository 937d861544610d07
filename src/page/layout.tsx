/** The frame of every page: sections, the clock, the keyboard help. */
import type { Child } from 'hono/jsx';
import { Moment } from './moment.tsx';
import { PageContext, type PageInfo } from './page-context.ts';
import { keysCookie, shortcutAttributes } from './shortcut-key.tsx';

interface FrameProps {
  readonly page: PageInfo;
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
      <p class="name">{frame.page.name}</p>
      <nav aria-label="Sections">
        {frame.page.sections.map(({ path, label, shortcut }) => (
          <a
            href={`${frame.page.base}/${path}`}
            aria-current={path === frame.section ? 'page' : undefined}
            data-testid={`nav-${path}`}
            {...shortcutAttributes(frame.page, shortcut)}
          >
            {label}
          </a>
        ))}
      </nav>
      <p class="clock" title="UTC, by the clock of what this page shows">
        <span data-testid="clock-mode">{frame.page.clock.mode}</span> <Moment at={frame.page.clock.now} now />
      </p>
      <button
        type="button"
        class="quiet"
        data-help
        aria-keyshortcuts={frame.page.keys ? '?' : undefined}
        aria-label="Keyboard shortcuts"
      >
        ?
      </button>
    </header>
    <Main>{children}</Main>
    <Help place={frame.page} />
  </Document>
);

/** A page that should not look like ours: the bank's. */
export const BareLayout = ({ children, ...frame }: FrameProps) => (
  <Document {...frame} bodyClass="bank">
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
  page,
  title,
  topics,
  version,
  still,
  bodyClass,
  children,
}: FrameProps & { bodyClass?: string }) => (
  <PageContext.Provider value={page}>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} - ${page.name}`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={`${page.base}/page.css`} />
        <script src={`${page.base}/page.js`} defer></script>
      </head>
      <body
        class={bodyClass}
        data-base={page.base}
        data-topics={topics.join(' ')}
        data-version={version}
        data-still={still ? 'yes' : 'no'}
        data-now={page.clock.now}
        data-running={page.clock.running ? 'yes' : 'no'}
        data-keys={page.keys ? 'on' : 'off'}
      >
        {children}
      </body>
    </html>
  </PageContext.Provider>
);

const keys: readonly (readonly [string, string])[] = [
  ['j, k', 'next, previous row'],
  ['Enter', 'open the row'],
  ['[, ]', 'newer, older page of a list'],
  ['Esc', 'leave a field; back to the list'],
  ['?', 'this help'],
];

const Help = ({ place }: { place: PageInfo }) => (
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
