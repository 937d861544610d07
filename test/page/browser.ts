/** Debian's Chromium, where this machine has it. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, describe } from 'vitest';
import { skipped } from '../support/platform.ts';

const executablePath = '/usr/bin/chromium';
const installed = existsSync(executablePath);

let browser: Promise<Browser> | null = null;
/** What the test at hand has opened. Each keeps processes of the browser, and these many of its descriptors. */
const contexts: BrowserContext[] = [];

/** A page in a context of its own: no cookie of another. */
export async function open(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const context = await (await browser).newContext({ viewport: { width: 1200, height: 800 }, ...options });
  contexts.push(context);
  return context.newPage();
}

/**
 * Chromium on a busy machine now and then never answers the end of a context. That says nothing of the test before it:
 * the next one gets another browser, and this one is told to end.
 */
async function endsInTime(closing: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(5_000, false, { signal: over.signal }).catch(() => false);
  const ended = await Promise.race([closing.then(() => true), late]);
  over.abort();
  return ended;
}

/** Tests that need the browser; skipped, and named so, where it is not installed. */
export function inBrowser(title: string, tests: () => void): void {
  const missing = installed ? null : `${executablePath} is not installed`;
  describe.skipIf(!installed)(skipped(title, missing), () => {
    afterEach(async () => {
      const closing = contexts.splice(0).map((context) => context.close());
      if (await endsInTime(Promise.all(closing))) return;
      browser?.then((late) => late.close()).catch(() => {});
      browser = null;
    });
    afterAll(async () => {
      const last = await browser;
      browser = null;
      if (last !== null) await endsInTime(last.close());
    });
    tests();
  });
}
