/** What `pixctl help` explains besides single commands. */
export const helpTopics = ['commands', 'exit-codes', 'environment', 'amounts', 'output'] as const;

/** The topic that explains what people look for under another word; undefined if none does. */
export const topicOf = (word: string): (typeof helpTopics)[number] | undefined =>
  /^\d+$/.test(word)
    ? 'exit-codes'
    : topics.find(([, words]) => words.split(' ').includes(word.toLowerCase()))?.[0];

const topics: readonly (readonly [(typeof helpTopics)[number], string])[] = [
  ['commands', 'all reference topics schema describe capabilities'],
  ['exit-codes', 'exit errors codes status'],
  ['environment', 'env variables color colors colour colours accessibility ci proxy'],
  ['amounts', 'money cents reais'],
  ['output', 'formatting format formats fields json ndjson csv jq table scripts filters'],
];
