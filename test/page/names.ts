import type { Page } from 'playwright-core';

/** Controls that a screen reader would announce without a name, as markup. */
export const nameless = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary')]
    .filter((it) => !(it.getAttribute('aria-label') || it.labels?.[0]?.textContent || it.textContent).trim())
    .map((it) => it.outerHTML)`);

/** Names that a screen reader would give to several controls of a page: it would not tell which is which. */
export const namedAlike = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, input:not([type=hidden]), select, textarea, .edit > summary')]
    .map((it) => (it.getAttribute('aria-label') || it.labels?.[0]?.textContent || it.textContent).trim())
    .filter((name, at, all) => all.indexOf(name) !== at)`);
