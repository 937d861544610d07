/** What `pixctl help` explains besides commands. */
export const helpTopics = ['exit-codes', 'environment', 'amounts'] as const;
