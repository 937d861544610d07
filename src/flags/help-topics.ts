/** What `pixctl help` explains besides single commands. */
export const helpTopics = ['commands', 'exit-codes', 'environment', 'amounts'] as const;
