/** Where the sandbox's pages are served. */
export const pagePath = '/__sandbox/ui';
