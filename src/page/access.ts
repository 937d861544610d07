/**
 * Who may see a page: this machine, with the token. The token comes in the address that was printed, and is
 * exchanged for a cookie at once, so that it stays in no history, log or screenshot.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { isAskedFromElsewhere, isAskedHere } from './loopback.ts';

export interface AccessOptions {
  /** Path that the pages lie under, without trailing slash. */
  readonly base: string;
  readonly token: string;
}

/** What a form must carry: a cookie alone moves nothing. */
export const formToken = (token: string): string => derive(token, 'form');

const largestForm = 2 * 1024 * 1024;

/** Answers 401 or 403 in plain words, or lets the request through. */
export function access({ base, token }: AccessOptions): MiddlewareHandler[] {
  const session = derive(token, 'session');
  return [
    async (context, next) => {
      protect(context);
      const host = context.req.header('host');
      if (!isAskedHere(host, context.req.header('origin'))) {
        return context.text('This page answers only this machine: Host and Origin must be its own.', 403);
      }
      if (isAskedFromElsewhere(context.req.header('sec-fetch-site'))) {
        return context.text('Another page asked for this. Type or paste the address instead.', 403);
      }
      const given = context.req.query('token');
      const name = `pixctl-page-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
      if (context.req.method === 'GET' && given !== undefined && same(given, token)) {
        setCookie(context, name, session, { path: base, httpOnly: true, sameSite: 'Strict' });
        return context.redirect(cleaned(context), 303);
      }
      if (!same(getCookie(context, name) ?? '', session)) {
        return context.text(
          'Open this page by the whole address that was printed at the start, token included.',
          401,
        );
      }
      return next();
    },
    limitForm,
    async (context, next) => {
      if (context.req.method === 'GET' || context.req.method === 'HEAD') return next();
      const form = await context.req.parseBody();
      if (context.req.header('origin') === undefined || !same(String(form._form ?? ''), formToken(token))) {
        return context.text('This form does not come from this page. Nothing was done.', 403);
      }
      return next();
    },
  ];
}

/**
 * Bounds a form also where it does not tell its length. Hono's `bodyLimit` cannot: it makes a new request out of the
 * old one, which works only for the platform's own class, and the server has another.
 */
const limitForm: MiddlewareHandler = async (context, next) => {
  const { body, url, method, headers } = context.req.raw;
  if (body === null) return next();
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largestForm) return context.text('This form is too large. Nothing was done.', 413);
    read.push(chunk);
  }
  context.req.raw = new Request(url, { method, headers, body: Buffer.concat(read) });
  return next();
};

function protect(context: Context): void {
  context.header(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  context.header('X-Content-Type-Options', 'nosniff');
  context.header('X-Frame-Options', 'DENY');
  context.header('Cross-Origin-Resource-Policy', 'same-origin');
  context.header('Cross-Origin-Opener-Policy', 'same-origin');
  // Not `no-referrer`: with it a form's Origin would be `null`.
  context.header('Referrer-Policy', 'same-origin');
  context.header('Cache-Control', 'no-store');
}

/** The same path without the token; never `//`, which would lead to another host. */
function cleaned(context: Context): string {
  const { pathname, searchParams } = new URL(context.req.url);
  searchParams.delete('token');
  const query = searchParams.toString();
  return `${pathname.replace(/^\/+/, '/')}${query === '' ? '' : `?${query}`}`;
}

const derive = (token: string, purpose: string): string =>
  createHmac('sha256', token).update(`pixctl page ${purpose}`).digest('base64url');

function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
