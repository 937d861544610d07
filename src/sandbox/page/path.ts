/** Where the sandbox's pages lie. */
export const pagePath = '/__sandbox/ui';
