/** The frame in which the sandbox's pages and the listener's inspector are shown. */
import { type Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';
import type { Child } from 'hono/jsx';
import type { Clock } from '../clock.ts';
import { createAccessGuard, formToken } from './access.ts';
import { showBidiMarks } from './bidi-marks.ts';
import { BareLayout, Layout } from './layout.tsx';
import type { PageClock, Section } from './page-context.ts';
import { script } from './script.ts';
import { keysCookie } from './shortcut-key.tsx';
import { streamChanges, type Versions, versionOf } from './stream-changes.ts';
import { style } from './style.ts';

export interface PagesOptions {
  readonly name: string;
  /** The path of the pages, without trailing slash. */
  readonly base: string;
  readonly token: string;
  readonly sections: readonly Section[];
  /** The clock that the pages are about. */
  readonly shownClock: () => PageClock;
  readonly machine: Clock;
  readonly versions: Versions;
  /** Puts an error in words; null for one that nobody intended. */
  readonly describeError: (error: Error) => { readonly status: number; readonly message: string } | null;
  readonly onError: (error: unknown) => void;
}

interface Screen {
  readonly title: string;
  /** The path of the section that it belongs to. */
  readonly section: string;
  /** The topics whose changes make the page render again. */
  readonly topics: readonly string[];
  /** Shown anew in its head alone: its form holds what was handed in. */
  readonly still?: boolean;
  /** Without the frame: the payer's screen. */
  readonly bare?: boolean;
}

export interface Pages {
  /** Guarded; callers add their routes to it. */
  readonly routes: Hono;
  show(context: Context, screen: Screen, content: Child): Response | Promise<Response>;
  /** After something was done, leads to a path below the base. */
  goTo(context: Context, path: string): Response;
}

export function createPages(options: PagesOptions): Pages {
  const { base, name, sections, token } = options;
  const routes = new Hono({ strict: false }).basePath(base);
  const show: Pages['show'] = (context, screen, content) => {
    const keys = getCookie(context, keysCookie) !== 'off';
    const page = { base, formToken: formToken(token), name, sections, clock: options.shownClock(), keys };
    const { title, section, topics, still } = screen;
    const version = versionOf(options.versions, topics);
    const Frame = screen.bare ? BareLayout : Layout;
    const markup = <Frame {...{ page, title, section, topics, version, still }}>{content}</Frame>;
    return context.html(`<!doctype html>${showBidiMarks(markup.toString())}`);
  };
  const problem = (context: Context, status: number, message: string) => {
    context.status(status as 400);
    return show(
      context,
      { title: 'That did not work', section: '', topics: [] },
      <>
        <h1>That did not work</h1>
        <p class="problem" role="alert" data-testid="problem">
          {message}
        </p>
      </>,
    );
  };
  routes.use(...createAccessGuard({ base, token }));
  routes.get('/page.css', (context) =>
    context.body(style, 200, { 'content-type': 'text/css; charset=utf-8' }),
  );
  routes.get('/page.js', (context) =>
    context.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  );
  routes.get('/live', (context) => streamChanges(context, options.versions, options.machine));
  routes.get('/', (context) => context.redirect(`${base}/${sections[0]?.path ?? ''}`, 303));
  routes.notFound((context) => problem(context, 404, 'There is no such page.'));
  routes.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    const described = options.describeError(error);
    if (described === null) options.onError(error);
    return problem(
      context,
      described?.status ?? 500,
      described?.message ?? 'An unexpected error; it was reported.',
    );
  });
  return { routes, show, goTo: (context, path) => context.redirect(`${base}/${path}`, 303) };
}
