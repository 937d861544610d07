/**
 * Who may see a page: this machine, with the token. The token comes in the printed address and is exchanged for a
 * cookie at once, so that it remains in no history, log or screenshot.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { isCrossOriginRequest, isLocalRequest } from './loopback.ts';

interface AccessOptions {
  /** The path below which the pages lie, without trailing slash. */
  readonly base: string;
  readonly token: string;
}

/** What a form must carry, because a cookie alone must not change anything. */
export const formToken = (token: string): string => derive(token, 'form');

const maxFormBytes = 2 * 1024 * 1024;

/** Answers 401 or 403 in plain words, or lets the request through. */
export function createAccessGuard({ base, token }: AccessOptions): MiddlewareHandler[] {
  const session = derive(token, 'session');
  return [
    async (context, next) => {
      setSecurityHeaders(context);
      const host = context.req.header('host');
      if (!isLocalRequest(host, context.req.header('origin'))) {
        return context.text(
          'This page opens only as http://127.0.0.1 or http://localhost (through a published port or an SSH tunnel, if it runs elsewhere), and only for itself: Host and Origin must say so.',
          403,
        );
      }
      if (isCrossOriginRequest(context.req.header('sec-fetch-site'))) {
        return context.text('Another page asked for this. Type or paste the address instead.', 403);
      }
      const given = context.req.query('token');
      const name = `pixctl-page-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
      if (context.req.method === 'GET' && given !== undefined && equalsInConstantTime(given, token)) {
        setCookie(context, name, session, { path: base, httpOnly: true, sameSite: 'Strict' });
        return context.redirect(withoutToken(context), 303);
      }
      if (!equalsInConstantTime(getCookie(context, name) ?? '', session)) {
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
      if (
        context.req.header('origin') === undefined ||
        !equalsInConstantTime(String(form._form ?? ''), formToken(token))
      ) {
        return context.text('This form does not come from this page. Nothing was done.', 403);
      }
      return next();
    },
  ];
}

/**
 * Limits a form's size even if it does not announce its length. Hono's `bodyLimit` cannot: it makes a new request from
 * the old one, which works only with the platform's own class, and the server uses another.
 */
const limitForm: MiddlewareHandler = async (context, next) => {
  const { body, url, method, headers } = context.req.raw;
  if (body === null) return next();
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxFormBytes) return context.text('This form is too large. Nothing was done.', 413);
    read.push(chunk);
  }
  context.req.raw = new Request(url, { method, headers, body: Buffer.concat(read) });
  return next();
};

function setSecurityHeaders(context: Context): void {
  context.header(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  context.header('X-Content-Type-Options', 'nosniff');
  context.header('X-Frame-Options', 'DENY');
  context.header('Cross-Origin-Resource-Policy', 'same-origin');
  context.header('Cross-Origin-Opener-Policy', 'same-origin');
  // Not `no-referrer`, which would make a form's Origin `null`.
  context.header('Referrer-Policy', 'same-origin');
  context.header('Cache-Control', 'no-store');
}

/** The same path without the token; never beginning with `//`, which would lead to another host. */
function withoutToken(context: Context): string {
  const { pathname, searchParams } = new URL(context.req.url);
  searchParams.delete('token');
  const query = searchParams.toString();
  return `${pathname.replace(/^\/+/, '/')}${query === '' ? '' : `?${query}`}`;
}

const derive = (token: string, purpose: string): string =>
  createHmac('sha256', token).update(`pixctl page ${purpose}`).digest('base64url');

function equalsInConstantTime(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
